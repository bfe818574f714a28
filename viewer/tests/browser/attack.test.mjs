// The 3-D page of the real server in a browser while another account of the machine attacks it, and without the token of its address.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { drawn, launch, open, seek, state } from "./browser.mjs";
import { realServer } from "./serve.mjs";

const CONNECTIONS = 2000;
const attack = { skip: realServer === null ? "there is no real server to attack" : false };
let browser;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A connection that says `words` and reads nothing; the server may close it. */
function attacker(words = "") {
  const { hostname, port } = new URL(realServer);
  return new Promise((done) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(words, () => done(socket)));
    socket.pause();
    socket.on("error", () => done(socket));
  });
}

test("the page loads, plays and plots among 2,000 idle connections and readers that do not read", attack, async () => {
  const { host, pathname } = new URL(realServer);
  const question = `GET ${pathname}run/frames.mcap HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const attackers = [];
  for (let n = 0; n < 8; n++) attackers.push(await attacker(question));
  for (let n = 0; n < CONNECTIONS; n++) attackers.push(await attacker());
  const { page, problems, context } = await open(browser, realServer);
  const { frames, end } = await state(page);
  assert.ok(frames > 1, "its frames are there");
  await seek(page, end);
  await drawn(page);
  assert.equal((await state(page)).time, end);
  assert.deepEqual(problems, []);
  await context.close();
  attackers.forEach((socket) => socket.destroy());
});

test("without its token the address shows where to find it, and nothing of the run", attack, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const place of ["/", "/api/scene", "/run/report.html", "/00000000000000000000000000000000/"]) {
    const answer = await page.goto(new URL(place, realServer).href);
    assert.equal(answer.status(), 403, place);
    assert.match(await page.innerText("body"), /token that touchdown printed on the terminal/);
  }
  await context.close();
});
