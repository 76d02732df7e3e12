import { Writable } from 'node:stream'

export function captureLog() {
  const lines: string[] = []
  const stream = new Writable({
    write(line, _, done) {
      lines.push(String(line))
      done()
    },
  })
  return { lines, stream }
}
