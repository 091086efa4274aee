/* The controls of a page that can be pushed: the line that lists the leaves, and the boxes in the panel. */

/** Return a pass that can be pushed; nothing if its program does not run, and then the page says so. */
function pushOf(pass) {
  try {
    return pass.live?.program && new Push(pass);
  } catch {
    pass.live.why = WORDS.damaged;
    return undefined;
  }
}

const pushes = new Map(book.passes.map((one) => [one, pushOf(one)]));
const push = () => pushes.get(data);

/** Show all that follows from a number. The panel is not made anew: what is dragged stands in it. */
function showPushed() {
  push().draw();
  showColours();
  for (const item of document.querySelectorAll("#steps li")) item.textContent = sentenceOf(item.dataset.node);
  showSentence();
  const fact = data.nodes[state.node];
  if (fact) {
    const says = $("panel").querySelector(".says");
    if (says) says.textContent = fact.says || fact.state;
    const tables = $("panel").querySelectorAll("table.value");
    fact.results.forEach((result, number) => tables[number]?.replaceWith(valueTable(result)));
    for (const input of $("panel").querySelectorAll(".push input")) input.dispatchEvent(new Event("follow"));
  }
  showBar();
}

const sentenceOf = (id) => data.nodes[id].says || data.nodes[id].title;

function showBar() {
  const bar = $("push");
  bar.replaceChildren();
  bar.hidden = !data.live;
  if (!push()) {
    bar.textContent = data.live?.why ?? "";
    return;
  }
  bar.append(element("span", WORDS.change));
  for (const id of push().live.inputs) {
    const node = nodeOf(id);
    if (!node) continue;
    const button = element("button", data.nodes[node].title);
    button.addEventListener("click", () => {
      choose(node);
      $("panel").querySelector(".push input")?.focus();
    });
    bar.append(button);
  }
  if (push().changed) {
    const button = element("button", WORDS.reset, "reset");
    button.addEventListener("click", resetPushed);
    bar.append(element("strong", WORDS.changed), button);
  }
  if (push().live.told.length) bar.append(element("span", [WORDS.stays, push().live.told.join("; ")].join(" ")));
}

function resetPushed() {
  push().reset();
  showView(state.view);
  showBar();
}

/** Return the node that shows a value that can be changed. */
function nodeOf(id) {
  const is = (fact) => ["data", "parameter"].includes(fact.kind) && fact.results[0]?.id === id;
  return Object.keys(data.nodes).find((node) => is(data.nodes[node]));
}

/** Add boxes for the numbers of a leaf to the panel. */
function addBoxes(fact) {
  const id = fact.results[0]?.id;
  if (!push()?.live.inputs.includes(id) || nodeOf(id) !== fact.id) return;
  const shape = push().shape(id);
  const grid = element("div", undefined, "push");
  grid.style.setProperty("--columns", Math.min(shape.at(-1) ?? 1, 6));
  push().numbers(id).forEach((_, at) => grid.append(box(id, at, `${fact.title}${placeText(at, shape)}`)));
  $("panel").querySelector("table.value").before(element("h3", WORDS.numbers), grid);
}

function placeText(at, shape) {
  const places = shape.map((one, axis) => Math.floor(at / size(shape.slice(axis + 1))) % one);
  return places.length ? `[${places.join(", ")}]` : "";
}

function box(id, at, name) {
  const input = element("input");
  const now = () => push().numbers(id)[at];
  const step = 10 ** Math.floor(Math.log10(Math.max(Math.abs(now()), 0.1))) / 10 || 0.1;
  const show = () => {
    input.value = String(Number(now().toPrecision(6)));
    input.setAttribute("aria-valuenow", input.value);
  };
  const set = (number) => {
    if (Number.isFinite(number)) {
      push().set(id, at, number);
      showPushed();
      say(`${name} = ${brief(now())}`);
    }
    show();
  };
  Object.entries({ role: "spinbutton", "aria-label": name, title: name, inputmode: "decimal" })
    .forEach((pair) => input.setAttribute(...pair));
  input.addEventListener("change", () => set(input.value.trim() ? Number(input.value.replace(",", ".")) : NaN));
  input.addEventListener("keydown", (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!way) return;
    event.preventDefault();
    set(Number((now() + way * step * (event.shiftKey ? 10 : 1)).toPrecision(6)));
  });
  input.addEventListener("follow", () => { if (input !== document.activeElement) show(); });
  drag(input, (pixels, began) => set(Number((began + pixels * step).toPrecision(6))), now);
  show();
  return input;
}

/** Let a box be dragged sideways; a click alone puts the cursor into it. */
function drag(input, onMove, now) {
  let down = null;
  input.addEventListener("pointerdown", (event) => { down = { x: event.clientX, began: now(), far: false }; });
  input.addEventListener("pointermove", (event) => {
    if (!down) return;
    const pixels = Math.round((event.clientX - down.x) / 2);
    if (!down.far && Math.abs(pixels) < 2) return;
    if (!down.far) input.setPointerCapture(event.pointerId);
    down.far = true;
    event.preventDefault();
    onMove(pixels, down.began);
  });
  for (const end of ["pointerup", "pointercancel"]) input.addEventListener(end, () => { down = null; });
}

$("panel").addEventListener("filled", (event) => addBoxes(event.detail));
document.addEventListener("shown", () => {
  showBar();
  push()?.draw();
});

showBar();
showPanel(); // a link may have chosen a node already
