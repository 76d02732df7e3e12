import { plainOutput, type RunOutput } from '../runs/run-output.ts'
import type { Editor } from './editor.ts'

/** Shows a run above the line that a person types, while there is one. Standard output can be a file. */
export function outputAbove(editorOf: () => Editor | null): RunOutput {
  const plain = plainOutput()
  return {
    text: {
      isTTY: plain.text.isTTY,
      write: (text: string) => {
        const editor = editorOf()
        if (!editor || !plain.text.isTTY) return plain.text.write(text)
        editor.write(text)
        return true
      },
    },
    message: (line) => {
      const editor = editorOf()
      if (editor) editor.write(`${line}\n`)
      else plain.message(line)
    },
    status: {
      show: (text) => {
        const editor = editorOf()
        if (editor) editor.setStatus(text)
        else plain.status.show(text)
      },
      clear: () => {
        editorOf()?.setStatus('')
        plain.status.clear()
      },
    },
  }
}
