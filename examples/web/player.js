// Runs a text in a worker, and plays what it returns: a frame is asked for when the browser is about
// to draw, and the last one has come; or when it comes, if that was later.

const workerUrl = URL.createObjectURL(new Blob([$("worker").textContent]));

// What workers begin with: letters until the first of them has unpacked it.
let engine = { engine: $("engine").textContent, sources: $("sources").textContent };

function newWorker() {
  const worker = new Worker(workerUrl);
  worker.onmessage = ({ data }) => engine = data.unpacked;
  worker.postMessage(engine);
  return worker;
}

// The first worker begins while the page is made.
let nextWorker = newWorker();

const player = {
  worker: null, // while a text runs or a scene is there to be played
  isBusy: false, isPaused: false, isTyped: false, // isTyped: the keyboard plays in any case
  speed: 1,
  target: 0, // the frame up to which a text is run
  scene: null, // how it stands, as play.lua tells it
  changes: [], // calls of play.lua that wait for the next frame: a name and a text of each
  wanted: null, // the frame to go to
  mustRestart: false, mustStep: false, mustShow: false, // what the next frame is asked for
  isLate: false, // the browser has drawn since the last frame was asked for
  began: 0, played: 0,

  // Ends what there is, and runs `code`, after the calls `first`; with a frame, up to that one.
  // `told` hears of everything.
  run(code, frame, first, told) {
    this.stop();
    Object.assign(this, { isPaused: frame > 0, target: frame, told });
    const worker = this.worker = nextWorker ?? newWorker();
    nextWorker = null;
    // It may have been stopped since, and so not be the player's any more.
    const heard = news => {
      if (news.unpacked) engine = news.unpacked;
      else if (this.worker !== worker) return;
      else if (news.text === undefined) this.answered(news);
      else told(news);
    };
    worker.onmessage = event => heard(event.data);
    worker.onerror = event => heard({ failure: event.message });
    if (this.isTyped) first = [["typed", ""], ...first];
    this.send("run", code, first, { frame });
    requestAnimationFrame(now => this.tick(worker, now));
  },

  stop() {
    if (this.worker) this.worker.terminate();
    Object.assign(this, { worker: null, isBusy: false, scene: null, changes: [], wanted: null,
      mustRestart: false, mustStep: false });
  },

  send(command, argument, first, more) {
    this.isBusy = true;
    this.isLate = false;
    this.began = performance.now();
    this.worker.postMessage({ command, argument: String(argument), first, ...more });
  },

  // What has run to its end is shown as it has left its world.
  answered(answer) {
    this.isBusy = false;
    if (answer.name === undefined) this.stop(); else this.scene = answer;
    if (answer.done) this.isPaused = true;
    // The worker plays the next frame while the page draws this one.
    if (this.isLate && this.scene && !this.isPaused) this.next(performance.now());
    this.told(answer);
  },

  // Asks for what comes next.
  next(now) {
    const first = this.changes;
    this.changes = [];
    if (this.mustRestart) this.send("restart", "", first);
    else if (this.mustStep) this.send("advance", 1, first);
    else if (this.wanted !== null) this.send("go", this.wanted, first);
    else if (!this.isPaused) {
      this.send("play", this.speed * Math.max(0, now - this.played) / 1000, first);
    } else if (first.length > 0 || this.mustShow) this.send("advance", 0, first);
    this.mustRestart = this.mustStep = this.mustShow = false;
    this.wanted = null;
    this.played = now;
  },

  tick(worker, now) {
    if (this.worker !== worker) return;
    this.isLate = this.isBusy;
    if (this.scene && !this.isBusy) this.next(now);
    else if (this.isBusy && now - this.began > 1000) {
      this.told({ busy: Math.floor((now - this.began) / 1000) });
    }
    if (this.isPaused || !this.scene) this.played = now;
    requestAnimationFrame(now => this.tick(worker, now));
  },

  call(name, text) { if (this.worker) this.changes.push([name, text]); },
  press(key) { this.call("key", "+" + key); },
  release(key) { this.call("key", "-" + key); },

  // A scene that pauses tells its hash.
  pause() {
    this.isPaused = this.mustShow = !this.isPaused;
  },

  // Plays one frame, and stays there.
  step() {
    this.isPaused = this.mustStep = true;
  },

  // Goes to a frame that has been played, and stays there.
  go(frame) {
    this.isPaused = true;
    this.wanted = Math.max(0, frame);
  },
};
