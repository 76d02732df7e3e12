import { style } from '../../../terminal.ts'

/** A line at the bottom of the terminal that the next output replaces; nothing without a terminal. */
export function createStatusLine(stream: NodeJS.WriteStream = process.stderr) {
  let isShown = false
  const clear = () => {
    if (isShown) stream.write('\r\u001b[K')
    isShown = false
  }
  return {
    show(text: string): void {
      if (!stream.isTTY) return
      clear()
      stream.write(style('dim', text, stream))
      isShown = true
    },
    clear,
  }
}
