"use strict";
// The page of a door: it draws the cells that it gets, and sends keys, text, taps and its size. It knows no rule of the game.

const $ = id => document.getElementById(id);
const stage = $("stage"), canvas = $("cells"), line = $("line"), lines = $("lines"), state = $("state");
const pen = canvas.getContext("2d", {alpha: false});
const FAMILY = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace';
const LEAST = [44, 20], USUAL = 80, NARROW = 700, MOST = [200, 60], LINES_MAX = 200, LONG_PRESS_MS = 450, HELD = "\u00a0";
const NAMES = {
  ArrowUp: "UP", ArrowDown: "DOWN", ArrowLeft: "LEFT", ArrowRight: "RIGHT", Enter: "ENTER", Escape: "ESC",
  Backspace: "BACKSPACE", Tab: "TAB", PageUp: "PGUP", PageDown: "PGDN", Home: "HOME", End: "END",
  Delete: "DELETE", Insert: "INSERT", Clear: "KP_5",
};
const WAYS = [["KP_7", "↖"], ["UP", "↑"], ["KP_9", "↗"], ["LEFT", "←"], [".", "·"], ["RIGHT", "→"], ["KP_1", "↙"], ["DOWN", "↓"], ["KP_3", "↘"]];
const WAY_NAMES = ["north-west", "north", "north-east", "west", "wait", "east", "south-west", "south", "south-east"];
const SCROLLING = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Tab"];
const LINES = {"─": 3, "│": 12, "┌": 10, "┐": 9, "└": 6, "┘": 5, "━": 19, "┃": 28, "┏": 26, "┓": 25, "┗": 22, "┛": 21};
const WATCHES = location.pathname.startsWith("/watch/"), WATCHED = [100, 30], UPRIGHT = [44, 32];
const touch = matchMedia("(pointer: coarse)").matches;

let socket = null, wait = 200, retry = 0, ended = false, say = localStorage.getItem("say") === "1", textMax = 0;
let size = [0, 0], grid = [], styles = [], ground = "#0c0c0e", cell = [8, 16], ratio = 1, pixels = 16;

function fit() {
  // The letters are as large as lets the usual size of the game fit, on a narrow page its least; a cell is whole device pixels, or seams appear.
  const room = [stage.clientWidth, stage.clientHeight];
  ratio = devicePixelRatio || 1;
  pixels = 17;
  let width = 0, height = 0;
  const watched = room[0] < Math.min(NARROW, room[1]) ? UPRIGHT : WATCHED;
  const [columns, rows] = WATCHES ? watched : [room[0] < NARROW ? LEAST[0] : USUAL, LEAST[1] + 2];
  for (; pixels > (WATCHES ? 2 : 6); pixels -= 0.5) {
    pen.font = `${pixels * ratio}px ${FAMILY}`;
    width = Math.ceil(pen.measureText("M".repeat(20)).width / 20);
    height = Math.round(pixels * ratio * 1.22);
    if (Math.floor(room[0] * ratio / width) >= columns && Math.floor(room[1] * ratio / height) >= rows) break;
  }
  const other = String([width, height]) !== String(cell);
  cell = [width, height];
  const want = WATCHES ? watched : [0, 1].map(i => Math.max(LEAST[i], Math.min(MOST[i], Math.floor(room[i] * ratio / cell[i]))));
  if (size[0] && String(want) !== String(size)) send({size: want});
  else if (size[0] && other) repaint();
  return want;
}

function resize(columns, rows, color) {
  size = [columns, rows];
  ground = color;
  grid = Array.from({length: rows}, () => Array(columns).fill(null));
  clear();
}

function clear() {
  canvas.width = size[0] * cell[0];
  canvas.height = size[1] * cell[1];
  canvas.style.width = `${canvas.width / ratio}px`;
  canvas.style.height = `${canvas.height / ratio}px`;
  document.body.style.background = ground;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
}

function repaint() {
  clear();
  grid.forEach((cells, row) => cells.forEach((shown, column) => { if (shown && shown[0]) put(row, column, shown[1], shown[0]); }));
}

function put(row, column, number, text) {
  const [ink, back, marks] = styles[number];
  pen.textBaseline = "middle";
  pen.font = `${marks & 1 ? "bold " : ""}${pixels * ratio}px ${FAMILY}`;
  const signs = [...new Intl.Segmenter().segment(text)].map(part => part.segment);
  let x = column;
  for (const sign of signs) {
    const wide = signs.length === 1 && /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Extended_Pictographic}/u.test(sign) ? 2 : 1;
    const left = x * cell[0], top = row * cell[1];
    pen.fillStyle = back;
    pen.fillRect(left, top, cell[0] * wide, cell[1]);
    if (sign in LINES) {
      pen.fillStyle = ink;
      rule(LINES[sign], left, top);
    } else if (sign !== " ") {
      pen.fillStyle = ink;
      // A sign may be taller than its cell: what it draws above would stay when the cell changes.
      pen.save();
      pen.beginPath();
      pen.rect(left, top, cell[0] * wide, cell[1]);
      pen.clip();
      pen.fillText(sign, left, top + cell[1] / 2);
      pen.restore();
    }
    if (marks & 2) {
      pen.fillStyle = ink;
      pen.fillRect(left, top + cell[1] - Math.ceil(ratio), cell[0] * wide, Math.ceil(ratio));
    }
    grid[row][x] = [sign, number];
    if (wide === 2) grid[row][x + 1] = ["", number];
    x += wide;
  }
}

function rule(arms, left, top) {
  // Lines of windows are drawn, since those of a font leave gaps between cells.
  const thin = Math.max(1, Math.round(ratio * pixels / 14)), wide = arms & 16 ? 2 * thin : thin;
  const x = left + (cell[0] - wide >> 1), y = top + (cell[1] - wide >> 1);
  if (arms & 1) pen.fillRect(left, y, x - left + wide, wide);
  if (arms & 2) pen.fillRect(x, y, left + cell[0] - x, wide);
  if (arms & 4) pen.fillRect(x, top, wide, y - top + wide);
  if (arms & 8) pen.fillRect(x, y, wide, top + cell[1] - y);
}

const PARTS = {
  size: resize,
  style: (number, ink, back, marks) => { styles[number] = [ink, back, marks]; },
  cells: rows => {
    for (const [row, ...runs] of rows) for (let at = 0; at < runs.length; at += 3) put(row, ...runs.slice(at, at + 3));
  },
  keys: (name, keys, most) => { stage.dataset.state = name; textMax = most; showKeys(keys); showLine(); },
  map: (...area) => { stage.dataset.map = area.join(" "); },
  say: texts => { if (lines.hidden) speakOrNot(true); for (const text of texts) speak(text); },
  own: link => { $("own").hidden = !link; $("link").value = link; },
  bell: () => { if (navigator.vibrate) navigator.vibrate(60); },
  title: text => { document.title = text; },
  save: (name, text) => save(name, text),
  bye: (text, again) => { ended = true; show(text + (again ? " Press a key, or tap here, to come again." : "")); },
};

function take(event) {
  for (const [name, ...values] of JSON.parse(event.data)) PARTS[name](...values);
}

function show(text) { state.textContent = text; }

function speak(text) {
  const part = document.createElement("p");
  part.textContent = text;
  lines.append(part);
  while (lines.childElementCount > LINES_MAX) lines.firstElementChild.remove();
  lines.scrollTop = lines.scrollHeight;
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function send(message) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function connect() {
  ended = false;
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play`);
  socket.onopen = () => {
    show("");
    wait = 200;
    size = [0, 0];
    styles = [];
    const invite = location.hash.slice(1);
    socket.send(JSON.stringify({hello: 2, size: fit(), say, invite, at: location.pathname}));
    if (invite) history.replaceState(null, "", location.pathname);
  };
  socket.onmessage = take;
  socket.onclose = () => {
    if (ended) return;
    show("No connection. Trying again ...");
    retry = setTimeout(connect, wait);
    wait = Math.min(wait * 2, 5000);
  };
}

addEventListener("hashchange", () => { if (location.hash.length > 1) location.reload(); });

document.addEventListener("visibilitychange", () => {
  // A phone that slept tries at once; a line that broke meanwhile is found by what is sent on it.
  if (document.hidden || ended) return;
  if (socket.readyState === WebSocket.CLOSED) { clearTimeout(retry); wait = 200; connect(); }
  else send({size: fit()});
});

// Keys. The text field has those that make text, so that input methods and phones' keyboards work.

function keyName(event) {
  let name = NAMES[event.key] || (/^F([1-9]|10)$/.test(event.key) ? event.key : "");
  if (event.location === 3 && /^[0-9]$/.test(event.key)) name = `KP_${event.key}`;
  if (event.ctrlKey && /^[a-z]$/i.test(event.key) && !/[tnwvc]/i.test(event.key)) return `CTRL_${event.key.toUpperCase()}`;
  if (!name && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) return event.key;
  return name && event.shiftKey && !["ENTER", "ESC", "BACKSPACE"].includes(name) ? `SHIFT_${name}` : name;
}

addEventListener("keydown", event => {
  if (event.isComposing || event.keyCode === 229 || event.target.tagName === "BUTTON") return;
  if (event.target === lines && SCROLLING.includes(event.key)) return;
  if (event.metaKey || ["F5", "F11", "F12"].includes(event.key)) return;
  if (event.key === "Tab" && event.shiftKey && stage.dataset.state === "title") return;  // it leads to the button for text
  if (ended) { event.preventDefault(); connect(); return; }
  const name = keyName(event);
  if (!name || (event.target === line && name.length === 1)) return;
  event.preventDefault();
  send({key: name});
});

addEventListener("paste", event => {
  const text = (event.clipboardData.getData("text") || "").slice(0, 800);
  event.preventDefault();
  if (text) send({text});
});

line.addEventListener("input", event => {
  if (event.isComposing) return;
  if (event.inputType.startsWith("delete")) send({key: "BACKSPACE"});
  const text = line.value.replaceAll(HELD, "").slice(0, textMax || 400);
  if (text) send({text});
  line.value = HELD;
});
line.addEventListener("compositionend", () => {
  const text = line.value.replaceAll(HELD, "");
  if (text) send({text});
  line.value = HELD;
});
$("typing").addEventListener("submit", event => { event.preventDefault(); send({key: "ENTER"}); });

function showLine() {
  const open = textMax > 0;
  if (open === !$("typing").hidden) return;
  $("typing").hidden = !open;
  line.value = HELD;
  (open ? line : stage).focus({preventScroll: true});
}

// The pad: eight ways, wait, Esc, and a button for each key of the bottom line.

function button(name, label, word, parent) {
  const made = document.createElement("button");
  made.type = "button";
  const key = document.createElement("b");
  key.textContent = label;
  made.append(key, word ? ` ${word}` : "");
  made.onclick = () => { send({key: name}); if (textMax) line.focus(); else stage.focus(); };
  parent.append(made);
  return made;
}

function showKeys(keys) {
  if ($("pad").hidden) return;
  $("keys").replaceChildren();
  button("ESC", "Esc", WATCHES ? "leave" : "", $("keys"));
  for (const [name, label, word] of keys) if (name !== "ESC") button(name, label, word, $("keys"));
}

function showPad() {
  $("pad").hidden = false;
  $("pad").classList.toggle("low", WATCHES);
  if (!WATCHES) WAYS.forEach(([name, sign], at) => button(name, sign, "", $("ways")).setAttribute("aria-label", WAY_NAMES[at]));
  showKeys([]);
}

// Mouse and touch: a tap is a click, a long press looks.

function place(event) {
  const box = canvas.getBoundingClientRect();
  const x = Math.floor((event.clientX - box.left) * ratio / cell[0]), y = Math.floor((event.clientY - box.top) * ratio / cell[1]);
  return x >= 0 && y >= 0 && x < size[0] && y < size[1] ? [x, y] : null;
}

let pressed = 0, hovered = "", moved = null, moving = 0;

function move() {
  // A mouse that moves fast is told of 20 times a second: more would be a flood.
  moving = 0;
  if (!moved) return;
  send({mouse: ["move", ...moved]});
  moved = null;
  moving = setTimeout(move, 50);
}

canvas.addEventListener("pointerdown", event => { pressed = event.timeStamp; });
canvas.addEventListener("pointerup", event => {
  const at = place(event), long = event.pointerType !== "mouse" && event.timeStamp - pressed > LONG_PRESS_MS;
  if (at) send({mouse: [event.button === 2 || long ? "right" : "left", ...at]});
});
canvas.addEventListener("pointermove", event => {
  const at = event.pointerType === "mouse" ? place(event) : null;
  if (!at || String(at) === hovered) return;
  hovered = String(at);
  moved = at;
  if (!moving) move();
});
canvas.addEventListener("wheel", event => {
  const at = place(event);
  if (at) send({mouse: [event.deltaY < 0 ? "wheel up" : "wheel down", ...at]});
  event.preventDefault();
}, {passive: false});
canvas.addEventListener("contextmenu", event => event.preventDefault());
state.addEventListener("click", () => { if (ended) { show(""); connect(); } });

function speakOrNot(on) {
  say = on;
  localStorage.setItem("say", on ? "1" : "0");
  lines.hidden = !on;
  $("text").setAttribute("aria-pressed", String(on));
}

$("link").onfocus = () => $("link").select();
$("copy").onclick = async () => {
  $("link").select();
  if (navigator.clipboard) await navigator.clipboard.writeText($("link").value);
  else document.execCommand("copy");
  show("Copied.");
  setTimeout(() => { if (state.textContent === "Copied.") show(""); }, 2000);
  stage.focus();
};

$("text").onclick = () => { speakOrNot(!say); send({say}); stage.focus(); };
new ResizeObserver(fit).observe(stage);
// A test reads what the page shows from here.
globalThis.gloam = {rows: () => grid.map(row => row.map(shown => shown ? shown[0] : " ").join(""))};

if (touch) showPad();
speakOrNot(say);
stage.focus();
connect();
