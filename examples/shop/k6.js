// A smoke test of a running shop:
//
//	k6 run k6.js
//	k6 run -e URL=https://shop.example.com k6.js
import http from "k6/http"
import { check } from "k6"

const url = __ENV.URL || "http://localhost:8080"

export const options = {
	scenarios: {
		// Five requests in each iteration: less than the limit of a client, 600 a minute.
		customers: { executor: "constant-arrival-rate", rate: 90, timeUnit: "1m", duration: "30s", preAllocatedVUs: 10 },
	},
	thresholds: {
		checks: ["rate==1"],
		http_req_failed: ["rate==0"],
		http_req_duration: ["p(95)<100"],
		dropped_iterations: ["count==0"],
	},
}

export default function () {
	const json = { headers: { "Content-Type": "application/json" } }
	http.cookieJar().clear(url) // a new customer
	const page = http.get(`${url}/`)
	check(page, { "the page has products": (r) => r.html("ul.products li").size() > 0 })

	const found = http.get(`${url}/api/products?q=rooibos`).json("items.0")
	const cart = http.put(`${url}/api/cart/${found.id}`, JSON.stringify({ count: 1 }), json)
	check(cart, { "the cart has the product": (r) => r.json("total") === found.price })

	check(http.get(`${url}/cart`), { "the page shows the cart": (r) => r.body.includes(found.name) })
	check(http.get(`${url}/api/orders`), { "there are no orders": (r) => r.json("total") === 0 })
}
