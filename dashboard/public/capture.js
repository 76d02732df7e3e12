/* Passes the microphone's samples to the page, several blocks at a time. An audio worklet has no other file format. */
const SAMPLES = 2048

registerProcessor(
  'capture',
  class extends AudioWorkletProcessor {
    samples = new Float32Array(SAMPLES)
    length = 0

    process([[channel]]) {
      if (!channel) return true
      this.samples.set(channel, this.length)
      this.length += channel.length
      if (this.length + channel.length > SAMPLES) {
        this.port.postMessage(this.samples.slice(0, this.length))
        this.length = 0
      }
      return true
    }
  },
)
