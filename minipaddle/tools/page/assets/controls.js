/* Links, keys and buttons, and what is done as the page opens. Read before: replay.js. */

/* ---- deep links: #n=g19&t=12&p=1&v=layers, and #k=s14.r0 for what a reader has closed by hand ------------- */

function writeLink() {
  const parts = [];
  if (state.node) parts.push(`n=${state.node}`);
  if (state.step !== null) parts.push(`t=${state.step}`);
  if (data !== book.passes[0]) parts.push(`p=${data.number}`);
  if (state.view === "own") parts.push(`k=${[...state.closed].join(".")}`);
  else if (state.view !== firstView()) parts.push(`v=${state.view}`);
  const target = parts.length ? `#${parts.join("&")}` : location.pathname.split("/").pop();
  try {
    history.replaceState(null, "", target);
  } catch { /* a page without an address, in a frame of a notebook */ }
}

function readLink(hash) {
  const wanted = new URLSearchParams(hash.slice(1));
  if (wanted.get("p")) showPass(Number(wanted.get("p")));
  if (wanted.get("v")) showView(wanted.get("v"));
  if (wanted.has("k")) {
    const known = wanted.get("k").split(".").filter((id) => Object.hasOwn(data.frames, id) || Object.hasOwn(data.repeats, id));
    Object.assign(state, { view: "own", closed: new Set(known), side: "both" });
    showSight();
    openAtLoss();
  }
  if (wanted.get("t")) goToStep(Number(wanted.get("t")) || 0);
  if (Object.hasOwn(data.facts, wanted.get("n"))) choose(wanted.get("n"));
}

/* ---- controls ---------------------------------------------------------------------------------------------------- */

function say(text) {
  $("said").textContent = text;
}

const keys = {
  "/": () => $("search").focus(),
  Escape: () => { pause(); $("search").value = ""; showFound(); goToStep(null); choose(null); },
  ArrowRight: () => goToStep((state.step ?? -1) + 1),
  ArrowLeft: () => goToStep((state.step ?? 1) - 1),
  " ": () => play(),
  "+": () => stage.zoom(1 / 1.3),
  "-": () => stage.zoom(1.3),
  0: () => stage.fit(),
  t: () => state.node && twinOf(state.node) && choose(twinOf(state.node)),
  a: () => showPaths("head", "tail"),
  d: () => showPaths("tail", "head"),
  o: () => {
    const id = state.node && (whatOpens(sight, state.node) ?? whatCloses(sight, state.node).frame);
    if (id) toggle(id);
  },
  r: () => {
    const id = state.node && repeatAround(state.node);
    if (id) toggle(id);
  },
  s: () => showTab($("source").hidden ? "source" : "steps"),
  l: () => unfoldLeft(isFolded()),
  "?": () => $("keys").showModal(),
};

function listen() {
  const on = (id, kind, action) => $(id).addEventListener(kind, action);
  on("passes", "change", (event) => showPass(Number(event.target.value)));
  on("views", "change", (event) => showView(event.target.value));
  on("themes", "change", (event) => setTheme(event.target.value));
  on("search", "input", showFound);
  on("search", "keydown", (event) => { if (event.key === "Enter") nextFound(); });
  on("in", "click", keys["+"]);
  on("out", "click", keys["-"]);
  on("fit", "click", keys[0]);
  on("play", "click", play);
  on("back", "click", keys.ArrowLeft);
  on("next", "click", keys.ArrowRight);
  on("step", "input", (event) => goToStep(Number(event.target.value)));
  on("tab-steps", "click", () => showTab("steps"));
  on("tab-source", "click", () => showTab("source"));
  on("fold", "click", keys.l);
  on("help", "click", keys["?"]);
  on("close", "click", () => $("keys").close());
  on("left", "click", (event) => {
    const item = event.target.closest("[data-node]");
    if (item) choose(item.dataset.node);
    const line = event.target.closest(".line[data-nodes]");
    if (line) chooseOnLine(line.dataset.nodes.split(" "));
  });
  on("panel", "click", (event) => {
    const link = event.target.closest("a[data-node]");
    if (!link) return;
    event.preventDefault();
    choose(link.dataset.node);
  });
  for (const kind of ["pointerover", "focusin"])
    on("stage", kind, (event) => showSame(event.target.closest?.(".node")));
  on("stage", "pointerover", (event) => drawing.spread(event.target.closest?.(".edge")?.dataset.bundle ?? null));
  on("stage", "dblclick", (event) => {
    const node = event.target.closest(".node.toggles");
    if (node && event.timeStamp - state.toggled > 500) toggle(whatOpens(sight, node.dataset.node), event);
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", () => readLink(location.hash));
}

function onKey(event) {
  const typing = ["INPUT", "SELECT"].includes(event.target.tagName) && event.target.id !== "step";
  if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape")) return;
  const node = event.target.closest?.(".node");
  if (node && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(node.dataset.node);
  } else if (event.target.dataset?.frame && event.key === "Enter") {
    toggle(event.target.dataset.frame);
  } else if (Object.hasOwn(keys, event.key) && event.target.tagName !== "BUTTON") {
    event.preventDefault();
    keys[event.key]();
  }
}

const asked = location.hash; // what follows writes a new one
document.documentElement.classList.add("live");
listen();
showTab("steps");
unfoldLeft(window.innerWidth > 900);
listPasses();
showPass(data.number);
readLink(asked);
stage.settle();
