/* The page of two runs: one node is chosen on each side, those that belong together; the list says what differs. */

const data = JSON.parse($("data").textContent);
const book = data; // what the drawing goes by
const SIDES = ["a", "b"];
const drawings = {};
for (const side of SIDES) {
  prepare(data.sides[side], { ...data, ...data.sides[side] });
  const room = document.querySelector(`.view[data-view="${side}"]`);
  drawings[side] = new Drawing(room, room.firstElementChild.getAttribute("aria-label"), side, false);
}
const state = { a: null, b: null, difference: null };
const other = { a: new Map(data.pairs), b: new Map(data.pairs.map(([one, two]) => [two, one])) };
const svg = (side) => drawings[side].svg;
const shape = (side, id) => (id ? drawings[side].group(id) : null);
const stages = {};

/* ---- one node on each side is chosen ----------------------------------------------------------------------------- */

function choose(a, b, difference = null) {
  Object.assign(state, { a, b, difference });
  for (const side of SIDES) {
    for (const node of svg(side).querySelectorAll(".node.chosen")) node.classList.remove("chosen");
    const chosen = shape(side, state[side]);
    chosen?.classList.add("chosen");
    if (chosen) stages[side].bringIntoView(chosen);
  }
  showList();
  showPanel();
  writeLink();
}

/** Choose a node, what belongs to it on the other side, and the first difference that is about it. */
function chooseNode(side, id) {
  const twin = id ? other[side].get(id) ?? null : null;
  const [a, b] = side === "a" ? [id, twin] : [twin, id];
  const about = data.differences.findIndex((one) => id && one[side] === id);
  choose(a, b, about < 0 ? null : about);
}

function chooseDifference(number) {
  const one = data.differences[number];
  if (one) choose(one.a, one.b, number);
}

function step(by) {
  const last = data.differences.length - 1;
  const from = state.difference ?? (by > 0 ? -1 : last + 1);
  chooseDifference(Math.min(Math.max(from + by, 0), last));
}

/* ---- what is shown of it ------------------------------------------------------------------------------------------ */

function showList() {
  [...document.querySelectorAll("#differences li")].forEach((item, number) => {
    const chosen = number === state.difference;
    item.classList.toggle("chosen", chosen);
    if (chosen) item.scrollIntoView({ block: "nearest" });
  });
  const { count } = data;
  const place = state.difference === null ? "" : `§${state.difference + 1} of§ `;
  $("said").textContent = count ? `${place}${count} ${count > 1 ? "§differences§" : "§difference§"}` : "§nothing differs§";
}

function showPanel() {
  const panel = $("panel");
  panel.replaceChildren();
  panel.hidden = !(state.a || state.b);
  if (panel.hidden) return;
  for (const side of SIDES) panel.append(column(side));
}

function column(side) {
  const made = element("section");
  const fact = state[side] && data.sides[side].nodes[state[side]];
  made.append(element("h2", `${side.toUpperCase()}: ${fact ? fact.title : "§nothing belongs to it here§"}`));
  if (!fact) return made;
  made.append(element("p", fact.says || fact.state, "says"));
  for (const result of fact.results) made.append(valueTable(result, data.budget));
  if (fact.file) made.append(element("p", `${fact.file}:${fact.line}`, "place"));
  return made;
}

/** Outline what differs; the words stand in the nodes. */
function markNodes() {
  for (const one of data.differences) {
    const kind = ["added", "removed"].includes(one.kind) ? one.kind : "changed";
    for (const side of SIDES) shape(side, one[side])?.classList.add("marked", kind);
  }
  const items = document.querySelectorAll("#differences li");
  data.differences.forEach((one, number) => items[number].classList.add(one.kind));
}

/* ---- links and controls ------------------------------------------------------------------------------------------- */

function writeLink() {
  const parts = SIDES.filter((side) => state[side]).map((side) => `${side}=${state[side]}`);
  try {
    history.replaceState(null, "", parts.length ? `#${parts.join("&")}` : location.pathname.split("/").pop());
  } catch { /* a page without an address, in a frame of a notebook */ }
}

function readLink(hash) {
  const wanted = new URLSearchParams(hash.slice(1));
  for (const side of SIDES)
    if (shape(side, wanted.get(side))?.dataset.node) return chooseNode(side, wanted.get(side));
  if (data.differences.length) chooseDifference(0);
  else showList();
}

const both = (action) => () => SIDES.forEach((side) => action(stages[side]));
const keys = {
  ArrowRight: () => step(1),
  ArrowLeft: () => step(-1),
  "+": both((stage) => stage.zoom(1 / 1.3)),
  "-": both((stage) => stage.zoom(1.3)),
  0: both((stage) => stage.fit()),
  Escape: () => choose(null, null),
  "?": () => $("keys").showModal(),
};

function listen() {
  const on = (id, kind, action) => $(id).addEventListener(kind, action);
  on("next", "click", keys.ArrowRight);
  on("back", "click", keys.ArrowLeft);
  on("in", "click", keys["+"]);
  on("out", "click", keys["-"]);
  on("fit", "click", keys[0]);
  on("help", "click", keys["?"]);
  on("close", "click", () => $("keys").close());
  on("themes", "change", (event) => { document.documentElement.dataset.theme = event.target.value; });
  on("differences", "click", (event) => {
    const item = event.target.closest("li");
    if (item) chooseDifference([...item.parentElement.children].indexOf(item));
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => readLink(location.hash));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const node = event.target.closest?.(".node");
  if (node && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    chooseNode(node.closest(".view").dataset.view, node.dataset.node);
  } else if (Object.hasOwn(keys, event.key)) {
    event.preventDefault();
    keys[event.key]();
  }
}

const asked = location.hash; // what follows writes a new one
document.documentElement.classList.add("live");
for (const side of SIDES) {
  const pick = (node) => chooseNode(side, node ? node.dataset.node : null);
  stages[side] = new Stage($(`stage-${side}`), pick, (words) => { $("zoom").textContent = words; });
  stages[side].show(svg(side), drawings[side].show(new Sight(data.sides[side], new Set()), "mirror"));
}
markNodes();
listen();
readLink(asked);
