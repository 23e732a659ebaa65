// Load test of POST /similarity for k6. It compares the texts of one file with each
// other, in an order in which no two requests of a run have the same body, however many
// virtual users and instances of k6 there are.
//
//   go run ./similarity/load/generate -texts -out similarity/load/plain.jsonl
//   k6 run similarity/load/similarity.js
//
// Variables, set with -e NAME=VALUE:
//
//   BASE_URL  where the service is; http://localhost:8080
//   TEXTS     the file of texts, relative to this one; plain.jsonl
//   PROFILE   full, up to 800 virtual users; or minute, up to 200 for one minute

import { check } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import * as fs from 'k6/experimental/fs';
import http from 'k6/http';

const url = (__ENV.BASE_URL || 'http://localhost:8080').replace(/\/$/, '') + '/similarity';
const params = { headers: { 'Content-Type': 'application/json' } };

const profiles = {
  full: [
    { duration: '15s', target: 200 },
    { duration: '30s', target: 400 },
    { duration: '30s', target: 800 },
    { duration: '30s', target: 400 },
    { duration: '30s', target: 200 },
    { duration: '15s', target: 0 },
  ],
  minute: [
    { duration: '5s', target: 50 },
    { duration: '10s', target: 100 },
    { duration: '20s', target: 200 },
    { duration: '10s', target: 100 },
    { duration: '10s', target: 50 },
    { duration: '5s', target: 0 },
  ],
};

export const options = {
  stages: stages(__ENV.PROFILE || 'full'),
  thresholds: {
    http_req_duration: ['p(95)<1500'],
    http_req_failed: ['rate<0.01'],
    checks: ['rate>0.99'],
    http_reqs: ['count>200'], // a script that fails makes none
  },
  summaryTrendStats: ['min', 'med', 'avg', 'p(90)', 'p(95)', 'p(99)', 'max'],
};

function stages(name) {
  if (!(name in profiles)) {
    throw new Error(`there is no PROFILE ${name}; write ${Object.keys(profiles).join(' or ')}`);
  }
  return profiles[name];
}

// The file is read through k6/experimental/fs, which keeps it in memory once for all
// virtual users. A text in a SharedArray costs four milliseconds of processor time each
// time it is read, which is more than the service takes; this takes a hundredth.
const name = __ENV.TEXTS || 'plain.jsonl';
const file = await openTexts();

async function openTexts() {
  try {
    return await fs.open(name);
  } catch (e) {
    throw new Error(`${e}; make the file with: go run ./similarity/load/generate -texts -out similarity/load/${name}`);
  }
}

// Where the lines begin, and the last one ends. A line is a text as a string of JSON,
// which goes into bodies as it is.
const starts = new SharedArray('starts', () => {
  const bytes = new Uint8Array(open(name, 'b'));
  const found = [0];
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) {
    found.push(end + 1);
  }
  const n = found.length - 1;
  if (n < 2 || n % 2 !== 0 || found[n] !== bytes.length) {
    throw new Error(`${name} has ${n} whole lines; it takes an even number of texts, one a line`);
  }
  return found;
});

// line returns the bytes of a text.
async function line(i) {
  const bytes = new Uint8Array(starts[i + 1] - starts[i] - 1);
  await file.seek(starts[i], fs.SeekMode.Start);
  await file.read(bytes);
  return bytes;
}

// body returns {"text1":…,"text2":…}.
async function body(i, j) {
  const parts = [opening, await line(i), middle, await line(j), closing];
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes.buffer;
}

const [opening, middle, closing] = ['{"text1":', ',"text2":', '}'].map((part) =>
  Uint8Array.from(part.split('').map((c) => c.charCodeAt(0))),
);

// pair returns which two of n texts request k compares: the schedule of a round-robin
// tournament, as the Go function load.Pair has it.
function pair(k, n) {
  const circle = n - 1;
  const round = Math.floor(k / (n / 2));
  const table = k % (n / 2);
  const turn = round % circle;
  const i = table === 0 ? circle : (turn + table) % circle;
  const j = (turn - table + circle) % circle;
  return Math.floor(round / circle) % 2 === 1 ? [j, i] : [i, j];
}

// setup ends the run before it starts if the service is not there.
export function setup() {
  const response = http.post(url, '{"text1":"a","text2":"a"}', params);
  if (response.status !== 200) {
    exec.test.abort(`no service at ${url}: ${response.error || response.body}; start it, or set BASE_URL`);
  }
}

// The number of an iteration is its own in the whole run, of all virtual users and
// instances.
export default async function () {
  const [i, j] = pair(exec.scenario.iterationInTest, starts.length - 1);
  const response = http.post(url, await body(i, j), params);
  const { similarity, interpretation } = answer(response);
  check(response, {
    'status is 200': (r) => r.status === 200,
    'similarity is between 0 and 1': () => similarity >= 0 && similarity <= 1,
    'interpretation is that of the similarity': () => interpretation === interpret(similarity),
  });
}

// answer returns the decoded answer, or nothing if it is no JSON.
function answer(response) {
  try {
    return JSON.parse(response.body) || {};
  } catch {
    return {};
  }
}

function interpret(similarity) {
  if (similarity <= 0.2) return 'Dissimilar';
  if (similarity <= 0.4) return 'Slightly Similar';
  if (similarity <= 0.6) return 'Moderately Similar';
  if (similarity <= 0.8) return 'Quite Similar';
  return 'Highly Similar';
}
