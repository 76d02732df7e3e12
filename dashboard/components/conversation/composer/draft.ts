import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { localStore } from '../../../state/local-storage.ts'

/** An unsent message, stored in the browser: a reload or a change of the conversation does not lose it. */
export function useMessageDraft(name: string) {
  const { user } = useSession()
  const key = `atrium.message-draft.${user.id}.${name}`
  const [text, setText] = useState(() => localStore.read(key) ?? '')
  return {
    text,
    setText: (next: string) => {
      setText(next)
      localStore.write(key, next || null)
    },
  }
}
