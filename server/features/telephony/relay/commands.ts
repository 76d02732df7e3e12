/** What a tool asks the connection of the call to do. */
export type Command =
  | { do: 'end'; say: string | undefined }
  | { do: 'language'; language: string }
  | { do: 'digits'; digits: string }
  | { do: 'transfer' }

/** What the connection of the call does after a tool call, whose output is stored. */
export function commandOf(tool: string, output: unknown): Command | null {
  const { say, language, digits } = (output ?? {}) as Record<string, unknown>
  if (tool === 'end_call') return { do: 'end', say: typeof say === 'string' ? say : undefined }
  if (tool === 'switch_language' && typeof language === 'string') return { do: 'language', language }
  if (tool === 'send_digits' && typeof digits === 'string') return { do: 'digits', digits }
  return tool === 'transfer_call' ? { do: 'transfer' } : null
}
