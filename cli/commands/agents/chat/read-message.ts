import { openEditor } from './editor.ts'

interface ReadOptions {
  /** The latest line first; changed when a line is entered. */
  history: string[]
  /** The beginning of the message, which a person typed before. */
  draft?: string
}

/** Reads one message from the terminal. Null at the end of the input (Ctrl+D). */
export function readMessage(prompt: string, { history, draft }: ReadOptions): Promise<string | null> {
  return new Promise((resolve) => {
    const editor = openEditor({
      prompt,
      history,
      draft,
      onMessage: (text) => {
        editor.close()
        resolve(text)
      },
      onEnd: resolve,
    })
  })
}
