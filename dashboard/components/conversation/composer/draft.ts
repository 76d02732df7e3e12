import { useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { localStore } from '../../../state/store.ts'

/** Stored in the browser, so it survives reloads and switching conversations. */
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

const REPORT_MS = 2000

/** Losing a report does no harm. */
export function useTyping(sessionId: string) {
  const reportedAt = useRef(0)
  return () => {
    const now = Date.now()
    if (now - reportedAt.current < REPORT_MS) return
    reportedAt.current = now
    api.sessions.typing({ id: sessionId }).catch(() => {})
  }
}
