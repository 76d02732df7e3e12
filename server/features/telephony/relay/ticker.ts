const TICK_MS = 100

interface Ticking {
  tick: () => Promise<void>
}

/** One timer for all conversations of the process. */
export function createTicker(onError: (error: unknown) => void) {
  const conversations = new Map<Ticking, boolean>()
  let timer: NodeJS.Timeout | undefined

  function tickAll(): void {
    for (const [conversation, isBusy] of conversations) if (!isBusy) void tick(conversation)
  }

  async function tick(conversation: Ticking): Promise<void> {
    conversations.set(conversation, true)
    await conversation.tick().catch(onError)
    if (conversations.has(conversation)) conversations.set(conversation, false)
  }

  return {
    add(conversation: Ticking): () => void {
      conversations.set(conversation, false)
      timer ??= setInterval(tickAll, TICK_MS).unref()
      return () => {
        conversations.delete(conversation)
        if (conversations.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
