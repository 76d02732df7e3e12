/** A command of a tool for the connection of the call. */
export type Command =
  | { do: 'end'; say: string | undefined }
  | { do: 'language'; language: string }
  | { do: 'digits'; digits: string }
  | { do: 'transfer' }

/** The command of a tool call, from its stored output. */
export function commandOf(tool: string, output: unknown): Command | null {
  const { say, language, digits } = (output ?? {}) as Record<string, unknown>
  if (tool === 'end_call') return { do: 'end', say: typeof say === 'string' ? say : undefined }
  if (tool === 'switch_language' && typeof language === 'string') return { do: 'language', language }
  if (tool === 'send_digits' && typeof digits === 'string') return { do: 'digits', digits }
  return tool === 'transfer_call' ? { do: 'transfer' } : null
}
