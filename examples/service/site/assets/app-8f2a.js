"use strict";

const form = document.querySelector("form");
const status = document.getElementById("status");
const list = document.getElementById("orders");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = document.getElementById("token").value;
  const response = await fetch("/api/orders", { headers: { Authorization: "Bearer " + token } });
  const body = await response.json();
  list.replaceChildren();
  if (!response.ok) {
    status.textContent = body.detail || body.title; // problem details
    return;
  }
  status.textContent = body.length === 1 ? "1 order" : body.length + " orders";
  for (const order of body) {
    const item = document.createElement("li");
    item.textContent = `${order.id}: ${order.count} × ${order.item}`;
    list.append(item);
  }
});
