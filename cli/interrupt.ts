import { EXIT_CODES } from './failure.ts'

const handlers: (() => void)[] = []

/** The latest handler wins; without one, the command ends. */
export function onInterrupt(handler: () => void): () => void {
  handlers.push(handler)
  return () => {
    const index = handlers.indexOf(handler)
    if (index !== -1) handlers.splice(index, 1)
  }
}

export function interrupt(): void {
  const handler = handlers.at(-1)
  if (handler) handler()
  else process.exit(EXIT_CODES.interrupted)
}
