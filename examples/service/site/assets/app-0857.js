"use strict";

const form = document.querySelector("form");
const message = document.getElementById("status");
const list = document.getElementById("orders");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  list.replaceChildren();
  const token = document.getElementById("token").value;
  try {
    const response = await fetch("/api/orders", { headers: { Authorization: "Bearer " + token } });
    const body = await response.json();
    if (!response.ok) {
      message.textContent = body.detail || body.title; // problem details
      return;
    }
    message.textContent = body.length === 1 ? "1 order" : body.length + " orders";
    for (const order of body) {
      const item = document.createElement("li");
      item.textContent = `${order.id}: ${order.count} × ${order.item}`;
      list.append(item);
    }
  } catch (error) {
    message.textContent = "The server cannot be reached: " + error.message;
  }
});
