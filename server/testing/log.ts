import { Writable } from 'node:stream'

/** What the server logs, line by line, for tests that look at it. */
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
