"use strict";
(() => {
const byId = (id) => document.getElementById(id);
const colours = ["#2da44e", "#cf222e", "#bf8700", "#8250df", "#0969da", "#d4570a", "#1b9aaa", "#a8328a", "#6e7781"];
const colourOf = new Map([["allowed", colours[0]], ["waived", colours[2]]]);

// Text from the document is only ever set as text, never as markup.
function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = String(text);
  if (className) made.className = className;
  return made;
}
function row(cells) {
  const made = element("tr");
  for (const [text, className] of cells) made.append(element("td", text, className));
  return made;
}
function pair(label, value, className) {
  const made = element("div");
  made.append(element("dt", label), element("dd", value, className));
  return made;
}
function span(seconds) {
  if (seconds === undefined || seconds === null) return "–";
  const size = Math.abs(seconds), sign = seconds < 0 ? "−" : "";
  if (size < 120) return sign + Math.round(size) + " s";
  if (size < 7200) return sign + Math.round(size / 60) + " min";
  if (size < 172800) return sign + Math.round(size / 3600) + " h";
  return sign + Math.round(size / 86400) + " d";
}
const time = (seconds) => new Date(seconds * 1000).toISOString().replace("T", " ").slice(0, 19) + " UTC";
const micro = (value) => value === undefined || value === null ? "–" : value < 1000 ? Math.round(value) + " µs" : (value / 1000).toFixed(1) + " ms";
const count = (value) => value.toLocaleString("en");
const total = (values) => values.reduce((all, one) => all + one, 0);
const pairs = (values) => Object.entries(values).map(([key, number]) => key + ": " + count(number)).join(", ");
const list = (values) => values.length ? values.join(", ") : "all";
function colour(code) {
  if (!colourOf.has(code)) colourOf.set(code, colours[(colourOf.size + 1) % colours.length]);
  return colourOf.get(code);
}

function showState(status) {
  const state = byId("state");
  state.textContent = status.isDraining ? "draining" : status.isReady ? "ready" : "not ready";
  state.className = "badge " + (status.isReady ? "good" : status.isDraining ? "warn" : "bad");
  byId("updated").textContent = time(status.date) + ", up " + span(status.date - status.started);
  const lines = [];
  for (const file of ["configuration", "revocations"]) {
    const outcome = status.reloads[file];
    if (outcome && outcome.faults.length) {
      lines.push("The file with the " + file + " was refused at " + time(outcome.date) + "; the old one is in force.", ...outcome.faults);
    }
  }
  if (status.signals && !status.signals.isWriting) lines.push("What events revoke cannot be written to the log of revocations.");
  if (status.reloads.restartNeeded.length) lines.push("A restart is needed for: " + status.reloads.restartNeeded.join(", "));
  alertText(lines.join("\n"));
}
function alertText(text) {
  const box = byId("alert");
  if (box.textContent !== text) box.textContent = text;
  box.hidden = !text;
}
function showTotals(status) {
  const sum = (outcome) => status.decisions.filter((one) => one.outcome === outcome).reduce((all, one) => all + one.count, 0);
  const last = status.history.at(-1), lately = last ? total(Object.values(last.counts)) / 10 : 0;
  const tiles = [
    pair("decisions/s", lately < 10 ? lately.toFixed(1) : count(Math.round(lately))),
    pair("allowed", count(sum("allowed")), "good"), pair("denied", count(sum("denied"))), pair("waived", count(sum("waived"))),
    pair("p50", micro(status.latency.p50)), pair("p99", micro(status.latency.p99)), pair("revocations", count(status.revocations.total)),
  ];
  if (status.cache) {
    const all = status.cache.hits + status.cache.misses;
    tiles.push(pair("cache hits", all ? (100 * status.cache.hits / all).toFixed(1) + " %" : "–"));
    tiles.push(pair("cached tokens", count(status.cache.entries)));
  }
  byId("totals").replaceChildren(...tiles);
}

const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
// Steps of ten seconds: the newest is at the right edge.
const place = (steps, index) => (180 - steps.length + index) * 4;
function titled(shape, text) {
  const title = svg("title", {});
  title.textContent = text;
  shape.append(title);
  return shape;
}
function showHistory(steps) {
  const totals = new Map();
  for (const step of steps) for (const [code, number] of Object.entries(step.counts)) totals.set(code, (totals.get(code) || 0) + number);
  const codes = [...totals.keys()].sort((one, other) => totals.get(other) - totals.get(one));
  const highest = Math.max(1, ...steps.map((step) => total(Object.values(step.counts))));
  const bars = [];
  steps.forEach((step, index) => {
    let top = 160;
    for (const code of codes) {
      const height = 150 * (step.counts[code] || 0) / highest;
      if (!height) continue;
      top -= height;
      const bar = svg("rect", { x: place(steps, index), y: top, width: 3.6, height, fill: colour(code) });
      bars.push(titled(bar, time(step.date) + " " + code + ": " + step.counts[code]));
    }
  });
  byId("chart").replaceChildren(...bars);
  byId("chart-top").textContent = "highest: " + count(highest) + " in 10 s";
  byId("legend").replaceChildren(...codes.map((code) => {
    const item = element("li"), mark = svg("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" });
    mark.append(svg("rect", { width: 1, height: 1, fill: colour(code) }));
    item.append(mark, code + " " + count(totals.get(code)));
    return item;
  }));
}
function showLatency(steps) {
  const highest = Math.max(1, ...steps.map((step) => step.p99 || 0));
  const shapes = [];
  for (const [key, stroke] of [["p99", colours[1]], ["p50", colours[0]]]) {
    // A step without decisions has no time: the line has a gap there.
    let path = "", isOpen = false;
    steps.forEach((step, index) => {
      if (step[key] === undefined || step[key] === null) { isOpen = false; return; }
      path += (isOpen ? "L" : "M") + place(steps, index) + " " + (158 - 148 * step[key] / highest).toFixed(1) + "h3.6";
      isOpen = true;
    });
    if (path) shapes.push(svg("path", { d: path, class: "line", stroke }));
  }
  steps.forEach((step, index) => {
    const area = svg("rect", { x: place(steps, index), y: 0, width: 4, height: 160, fill: "transparent" });
    shapes.push(titled(area, time(step.date) + " p50 " + micro(step.p50) + ", p99 " + micro(step.p99)));
  });
  byId("latency").replaceChildren(...shapes);
  byId("latency-top").textContent = steps.some((step) => step.p99) ? "highest p99: " + micro(highest) : "no decisions";
}
function showListeners(status) {
  const counts = new Map(status.listeners.map((one) => [one.name, one]));
  byId("listeners").replaceChildren(...status.configuration.listeners.map((one) => {
    const { connections, answers, refusedMessages, latency } = counts.get(one.name);
    return row([
      [one.name], [one.profile], [one.place, "code"], [count(connections), "number"], [count(total(Object.values(answers))), "number"],
      [pairs(answers) || "–"], [pairs(refusedMessages) || "–", Object.keys(refusedMessages).length ? "warn" : ""],
      [micro(latency.p50), "number"], [micro(latency.p99), "number"]]);
  }));
}
// The time since the fetch, within the time for which the keys are accepted.
function ageBar(issuer) {
  const bar = svg("svg", { viewBox: "0 0 100 1", preserveAspectRatio: "none", class: "ages", role: "img" });
  const whole = issuer.age + Math.max(0, issuer.believedFor || 0);
  const fresh = issuer.freshFor > 0;
  bar.append(svg("rect", { width: Math.min(100, 100 * issuer.age / whole), height: 1, fill: fresh ? colours[0] : colours[2] }));
  bar.setAttribute("aria-label", "age " + span(issuer.age) + ", accepted for another " + span(issuer.believedFor));
  return bar;
}
function showIssuers(issuers) {
  byId("issuers").replaceChildren(...issuers.map((issuer) => {
    const box = element("div", undefined, "issuer");
    const title = element("h3", issuer.source + " ");
    title.append(element("span", issuer.health, "badge " + (issuer.health === "fresh" ? "good" : issuer.health === "stale" ? "warn" : "bad")));
    const facts = element("dl", undefined, "facts");
    facts.append(
      pair("providers", issuer.providers.join(", ") + (issuer.isRequired ? " (required)" : "")), pair("generation", issuer.generation),
      pair("age", span(issuer.age)), pair("fresh for", span(issuer.freshFor)), pair("believed for", span(issuer.believedFor)),
      pair("next refresh in", issuer.isFetching ? "fetching" : span(issuer.nextFetchIn)), pair("failures", issuer.failures),
      pair("unknown key ids", issuer.missingKeyIDs), pair("probes refused", issuer.shedProbes), pair("clock ahead", span(issuer.clockSkew)));
    if (issuer.lastFailure) facts.append(pair("last failure", issuer.lastFailure, "bad"));
    box.append(title, facts);
    if (issuer.age > 0 && issuer.believedFor) box.append(ageBar(issuer));
    if (issuer.keys.length) box.append(keyTable(issuer.keys));
    return box;
  }));
}
function keyTable(keys) {
  const table = element("table"), head = element("tr"), body = element("tbody"), scroll = element("div", undefined, "scroll");
  for (const name of ["kid", "type", "algorithms", "bits", "thumbprint", "remarks"]) {
    const cell = element("th", name);
    cell.scope = "col";
    head.append(cell);
  }
  for (const key of keys) {
    const remarks = (key.unusable ? ["not used: " + key.unusable] : []).concat(key.advisories);
    body.append(row([
      [key.kid || "–", "code"], [key.kty], [key.alg.join(", ")], [key.bits], [key.thumbprint || "–", "code"],
      [remarks.join("; "), key.unusable ? "bad" : "warn"]]));
  }
  table.append(element("thead"), body);
  table.tHead.append(head);
  scroll.append(table);
  return scroll;
}
function showStatusLists(providers) {
  byId("status-lists").hidden = !providers.length;
  byId("lists").replaceChildren(...providers.flatMap((provider) => provider.lists.map((one) => row([
    [provider.provider], [one.uri, "code"], [one.issued ? time(one.issued) : "never fetched", one.issued ? "" : "warn"],
    [count(one.bytes), "number"], [span(one.age), "number"], [span(one.acceptedFor), "number"],
    [one.isFetching ? "fetching" : span(one.nextFetchIn), "number"], [count(one.failures), "number"],
    [one.lastFailure || "–", one.lastFailure ? "bad" : ""]]))));
  byId("findings").replaceChildren(...providers.flatMap((provider) => provider.findings.map((one) => row([
    [provider.provider], [one.finding], [one.isAdmitted ? "admitted" : "refused"], [count(one.count), "number"]]))));
}
function showSignals(signals) {
  byId("signals").hidden = !signals;
  if (!signals) return;
  byId("signal-log").replaceChildren(
    pair("revocations by events", count(signals.revocations)),
    pair("log", signals.isWriting ? "is written" : "cannot be written", signals.isWriting ? "" : "bad"));
  const troubles = (values) => [pairs(values) || "–", Object.keys(values).length ? "warn" : ""];
  byId("streams").replaceChildren(...signals.streams.map((one) => row([
    [one.name], [one.issuer, "code"], [one.revokes, "code"], [one.delivery], [one.hasKeys ? "known" : "none", one.hasKeys ? "" : "bad"],
    [one.last ? time(one.last) : "–"], [count(one.accepted), "number"], [count(one.repeated), "number"], [pairs(one.effects) || "–"],
    troubles(one.refused), troubles(one.delayed), troubles(one.failedPolls)])));
}
function showConfiguration(configuration, revocations) {
  const kinds = Object.entries(revocations.kinds).map(([kind, number]) => number + " by " + kind).join(", ");
  byId("configuration").replaceChildren(
    pair("generation", configuration.generation), pair("since", time(configuration.since)),
    pair("administration", configuration.administration), pair("revocations", kinds || "none"));
  byId("routes").replaceChildren(...configuration.routes.map((one) =>
    row([[one.path, "code"], [list(one.methods)], [list(one.hosts)], [one.policy]])));
  byId("policies").replaceChildren(...configuration.policies.map((one) =>
    row([[one.name], [one.requires], [one.scopes.join(" ")], [one.mode, one.mode === "enforced" ? "" : "warn"], [one.shadow || ""]])));
  byId("providers").replaceChildren(...configuration.providers.map((one) =>
    row([[one.name], [one.issuer, "code"], [list(one.audiences)], [one.fields.join(", ") || "–", "code"]])));
}
function show(status) {
  showState(status);
  showTotals(status);
  showHistory(status.history);
  showLatency(status.history);
  showListeners(status);
  showIssuers(status.issuers);
  showStatusLists(status.statusLists);
  showSignals(status.signals);
  byId("decisions").replaceChildren(...status.decisions.map((one) =>
    row([[one.policy || "–"], [one.outcome], [one.code || "", "code"], [count(one.count), "number"]])));
  showConfiguration(status.configuration, status.revocations);
}
async function refresh() {
  try {
    const answer = await fetch("status.json", { cache: "no-store" });
    if (!answer.ok) throw new Error("answered " + answer.status);
    show(await answer.json());
  } catch (error) {
    const state = byId("state");
    state.textContent = "no answer";
    state.className = "badge bad";
    alertText("The service does not answer: " + error.message + ". The figures below are old.");
  }
  setTimeout(refresh, 5000);
}
refresh();
})();
