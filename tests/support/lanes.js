/* The rules of a layout, by coordinates: `brokenRules(layout)` returns a sentence for each place where one is broken.
 *
 * No two arrows on one line for more than 4 units, none through a box, a title or a label, nothing written on anything,
 * nothing outside, every end on its box, what begins and ends in a frame stays in it, and what passes one stays out. Arrows of one bundle share their lane. tests/picture/page/test_layout.py runs it in a browser.
 */
const TOGETHER = 4, LINE_APART = 2.2;

const meets = (a, b, by = 0) =>
  a.x + by < b.x + b.width && b.x + by < a.x + a.width && a.y + by < b.y + b.height && b.y + by < a.y + a.height;

/** The pieces of an arrow, as boxes without height or width, read from what is drawn. */
function piecesOf(path) {
  const numbers = path.replace(/Q[^ ]+ /g, "L").match(/-?\d+(\.\d+)?(e-?\d+)?/g).map(Number); // a round corner is cut off
  if (!numbers.every(Number.isFinite)) throw new Error(path);
  const points = [];
  for (let one = 0; one < numbers.length; one += 2) points.push([numbers[one], numbers[one + 1]]);
  return points.slice(1).map(([x, y], one) => ({ x: Math.min(x, points[one][0]), y: Math.min(y, points[one][1]),
    width: Math.abs(x - points[one][0]), height: Math.abs(y - points[one][1]) }));
}

function onOneLine(ways, at, from, size, across) {
  const found = [];
  const straight = ways.flatMap(({ name, bundle, pieces }) => pieces.filter((one) => one[across] < 0.5 && one[size] > TOGETHER).map((one) => ({ ...one, name, bundle })));
  straight.sort((one, other) => one[at] - other[at]).forEach((one, place) => {
    for (const other of straight.slice(place + 1)) {
      if (other[at] - one[at] >= LINE_APART) break;
      if (other.name === one.name || (one.bundle && one.bundle === other.bundle)) continue;
      const shared = Math.min(one[from] + one[size], other[from] + other[size]) - Math.max(one[from], other[from]);
      if (shared > TOGETHER) found.push(`${one.name} lies on ${other.name}`);
    }
  });
  return found;
}

/** What is written at frames and arrows: how high letters are, without the room between lines. */
function writtenIn({ frames, lanes, sight }) {
  const line = (text, x, y, width) => ({ id: text, x, y: y - 8, width, height: 10.5 });
  const titles = frames.map(({ id, title, y }) => line(`− ${sight.titleOf(id)}`, title, y + 12, widthOf(`− ${sight.titleOf(id)}`)));
  return [titles, lanes.ways.filter(({ at }) => at).map(({ label, wide, at }) => line(label, at.box.x, at.y, wide))];
}

function brokenRules(layout) {
  const boxes = [...layout.boxes.values()];
  const ways = layout.edges.map(({ tail, head }, place) => ({ tail, head, name: `${tail} -> ${head} (${place})`,
    bundle: layout.routes[place].bundle, pieces: piecesOf(layout.routes[place].path) }));
  const faults = [...onOneLine(ways, "y", "x", "width", "height"), ...onOneLine(ways, "x", "y", "height", "width")];
  const [titles, labels] = writtenIn(layout);
  const borders = layout.frames.flatMap(({ id, x, y, width, height }) => [
    { id, x, y, width, height: 0 }, { id, x, y: y + height, width, height: 0 }, { id, x, y, width: 0, height }, { id, x: x + width, y, width: 0, height }]);
  const each = (all, others, words, by) => all.forEach((one, place) => {
    for (const other of all === others ? others.slice(place + 1) : others) if (meets(one, other, by)) faults.push(`${one.id} ${words} ${other.id}`);
  });
  for (const { tail, head, name, pieces } of ways) {
    const met = boxes.find((box) => box.id !== tail && box.id !== head && pieces.some((one) => meets(one, box, 0.5)));
    if (met) faults.push(`${name} runs through ${met.id}`);
    each([...titles, ...labels], pieces.map((one) => ({ ...one, id: name })), "is struck by");
  }
  for (const { id, x, width } of layout.frames)
    for (const { tail, head, name, pieces } of ways)
      if ([tail, head].every((end) => layout.inside.get(id).some((box) => box.id === end)) && pieces.some((one) => one.x < x || one.x + one.width > x + width))
        faults.push(`${name} leaves ${id} and comes back`);
  const isPassed = (frame, isDown, one, other) => { // it is between the ends of an arrow, with leaves beside it, in one strip
    const own = layout.inside.get(frame.id);
    const beyond = own.map(({ column }) => (column - other.column) * (isDown ? -1 : 1));
    return !own.includes(one) && !own.includes(other) && frame.y > Math.min(one.y, other.y) && frame.y + frame.height < Math.max(one.y, other.y) &&
      beyond.includes(1) && !own.some(({ column }, place) => beyond[place] > 0 && layout.columns.isSpine(column));
  };
  layout.lanes.ways.forEach(({ kind, isDown, tail, head, points }, place) => {
    const { name, pieces } = ways[place];
    for (const [{ box }, [x, y]] of [[tail, points[0]], [head, points.at(-1)]])
      if (!meets({ x, y, width: 0, height: 0 }, box, -1)) faults.push(`${name} ends beside ${box.id}`);
    for (const frame of kind === "bow" || kind === "round" ? layout.frames : [])
      if (isPassed(frame, isDown, tail.box, head.box) && pieces.some((one) => meets(one, frame, 0.5))) faults.push(`${name} runs through ${frame.id}`);
  });
  each(boxes, boxes, "lies on");
  each([...titles, ...labels], [...boxes, ...borders], "is written on");
  const written = [...titles, ...labels];
  each(written, written, "is written on");
  const { width, height } = layout;
  for (const { id, x, y, width: across, height: down } of [...boxes, ...layout.frames, ...written, ...ways.flatMap(({ name, pieces }) => pieces.map((one) => ({ ...one, id: name })))])
    if (x < 0 || y < 0 || x + across > width || y + down > height) faults.push(`${id} is outside`);
  return faults;
}
