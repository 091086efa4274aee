/* Numbers that the reader changes: what follows from them is computed again, and shown in place of the recorded ones.
 *
 * Python wrote for each pass a program (program.js runs it), and its texts in parts: plain ones, and fields
 * [how, values, before, after]. A pass that is pushed has other numbers in `data`, which the rest of the script shows
 * as it shows any; `reset` brings back the recorded ones. Nothing is asked of a server.
 */

/** Return a pass that can be pushed; nothing if its program does not run, and then the page says so. */
function pushOf(pass) {
  try {
    return pass.live?.program && new Push(pass);
  } catch {
    pass.live.why = "§The numbers here cannot be changed: the page is damaged§";
    return undefined;
  }
}

const pushes = new Map(book.passes.map((one) => [one, pushOf(one)]));
const push = () => pushes.get(data);

/** Show all that follows from a number. The panel is not made anew: what is dragged stands in it. */
function showPushed() {
  push().draw();
  for (const input of $("panel").querySelectorAll(".push input")) input.dispatchEvent(new Event("follow"));
  minimap.draw();
  for (const item of document.querySelectorAll("#steps li")) item.textContent = sentenceOf(item.dataset.node);
  showSentence();
  const fact = data.facts[state.node];
  if (fact) {
    const says = $("panel").querySelector(".says");
    if (says) says.textContent = fact.says || fact.state;
    showValues($("values"), fact);
    showLines(fact);
  }
  showBar();
}

const sentenceOf = (id) => data.facts[id].says || data.facts[id].title;

function showBar() {
  const bar = $("push");
  bar.replaceChildren();
  bar.hidden = !data.live;
  if (!push()) {
    bar.textContent = data.live?.why ?? "";
    return;
  }
  bar.append(element("span", "§change a number:§"));
  for (const id of push().live.inputs) {
    const node = nodeOf(id);
    if (!node) continue;
    const button = element("button", data.facts[node].title);
    button.addEventListener("click", () => {
      choose(node);
      $("panel").querySelector(".push input")?.focus();
    });
    bar.append(button);
  }
  if (push().changed) {
    const button = element("button", "§reset§", "reset");
    button.addEventListener("click", resetPushed);
    bar.append(element("strong", "§other numbers than recorded§"), button);
  }
  if (push().live.told.length) bar.append(element("span", ["§As recorded:§", push().live.told.join("; ")].join(" ")));
}

function resetPushed() {
  push().reset();
  showSight();
  showBar();
}

/** Return the node that shows a value that can be changed. */
function nodeOf(id) {
  const is = (fact) => ["data", "parameter"].includes(fact.kind) && fact.results[0]?.id === id;
  return Object.keys(data.facts).find((node) => is(data.facts[node]));
}

/** Add boxes for the numbers of a leaf to the panel. */
function addBoxes(fact) {
  const id = fact.results[0]?.id;
  if (!push()?.live.inputs.includes(id) || nodeOf(id) !== fact.id) return;
  const shape = push().shape(id);
  const grid = element("div", undefined, "push");
  grid.style.setProperty("--columns", Math.min(shape.at(-1) ?? 1, 6));
  push().numbers(id).forEach((_, at) => grid.append(box(id, at, `${fact.title}${placeText(at, shape)}`)));
  $("values").before(element("h3", "§numbers, to be changed: drag, type, or press the arrow keys§"), grid);
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
    } else say(`§"${input.value}" is no finite number: ${name} stays ${brief(now())}§`);
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
  const end = () => {
    push().held = false;
    showPushed();
  };
  drag(input, (pixels, began) => set(Number((began + pixels * step).toPrecision(6))), end, now);
  show();
  return input;
}

/** Let a box be dragged sideways; a click alone puts the cursor into it. */
function drag(input, onMove, onEnd, now) {
  let down = null;
  input.addEventListener("pointerdown", (event) => { down = { x: event.clientX, began: now(), far: false }; });
  input.addEventListener("pointermove", (event) => {
    if (!down) return;
    const pixels = Math.round((event.clientX - down.x) / 2);
    if (!down.far && Math.abs(pixels) < 2) return;
    if (!down.far) input.setPointerCapture(event.pointerId);
    down.far = push().held = true;
    event.preventDefault();
    onMove(pixels, down.began);
  });
  for (const end of ["pointerup", "pointercancel"])
    input.addEventListener(end, () => {
      if (down?.far) onEnd();
      down = null;
    });
}

$("panel").addEventListener("filled", (event) => addBoxes(event.detail));
document.addEventListener("shown", () => {
  showBar();
  push()?.draw();
});

showBar();
stage.settle(); // the bar may have taken room
showPanel(); // a link may have chosen a node already
