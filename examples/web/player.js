// Runs a text in a worker, and plays the scene that it returns: a frame is asked for when the
// browser is about to draw, and the last one has come.

const wasm = WebAssembly.compile(toBytes(data.engine));
const workerUrl = URL.createObjectURL(new Blob([$("worker").textContent]));

const player = {
  worker: null, // while a text runs or a scene is there to be played
  isBusy: false, isPaused: false, isTyped: false, // isTyped: the keyboard plays in any case
  scene: null, // how it stands, as play.lua tells it
  changes: [], // keys that went down or up since the last frame
  began: 0, played: 0,

  // Ends what there is, and runs `code`; with a frame, up to that one. `told` hears of everything.
  async run(code, frame, told) {
    this.stop();
    Object.assign(this, { isPaused: frame > 0, told });
    const worker = this.worker = new Worker(workerUrl);
    // It may have been stopped since, and so not be the player's any more.
    const heard = news => {
      if (this.worker !== worker) return;
      if (news.text === undefined) this.answered(news); else told(news);
    };
    worker.onmessage = event => heard(event.data);
    worker.onerror = event => heard({ failure: event.message });
    try {
      const message = { command: "run", code, frame, typed: this.isTyped, module: await wasm,
        files: data.files };
      if (this.worker === worker) this.send(message);
    } catch (error) {
      heard({ failure: `This browser cannot run it: ${error.message}` });
    }
    requestAnimationFrame(now => this.tick(worker, now));
  },

  stop() {
    if (this.worker) this.worker.terminate();
    Object.assign(this, { worker: null, isBusy: false, scene: null, changes: [] });
  },

  send(message) {
    this.isBusy = true;
    this.began = performance.now();
    this.worker.postMessage(message);
  },

  answered(answer) {
    this.isBusy = false;
    if (answer.name === undefined) this.stop(); else this.scene = answer;
    this.told(answer);
  },

  takeChanges() {
    const keys = this.changes;
    this.changes = [];
    return keys;
  },

  // Plays what has passed since the last frame.
  tick(worker, now) {
    if (this.worker !== worker) return;
    if (!this.isBusy && !this.isPaused) {
      const seconds = Math.max(0, now - this.played) / 1000;
      this.send({ command: "play", seconds, keys: this.takeChanges() });
      this.played = now;
    } else if (this.isBusy && now - this.began > 1000) {
      this.told({ busy: Math.floor((now - this.began) / 1000) });
    }
    if (this.isPaused || !this.scene) this.played = now;
    requestAnimationFrame(now => this.tick(worker, now));
  },

  // Plays one frame, and stays there.
  step() {
    this.isPaused = true;
    if (this.scene && !this.isBusy) {
      this.send({ command: "advance", frames: 1, keys: this.takeChanges() });
    }
  },

  press(key) { this.changes.push("+" + key); },
  release(key) { this.changes.push("-" + key); },
};
