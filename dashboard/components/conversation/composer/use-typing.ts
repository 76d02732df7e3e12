import { useRef } from 'react'
import { api } from '../../../api/client.ts'

const REPORT_MS = 2000

/** Reports that the person types, for the others who follow the conversation. Losing a report does no harm. */
export function useTyping(sessionId: string) {
  const reportedAt = useRef(0)
  return () => {
    const now = Date.now()
    if (now - reportedAt.current < REPORT_MS) return
    reportedAt.current = now
    api.sessions.typing({ id: sessionId }).catch(() => {})
  }
}
