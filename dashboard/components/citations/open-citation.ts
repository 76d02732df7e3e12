import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import type { Citation } from '../../api/conversations.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The viewer is open at this passage. Kept by a reload, and closed by Back. */
    citation?: Citation
    /** What to mark from the address's message on. */
    quote?: string
  }
}

/** Files and conversations open. Notes and memories have only their card. */
export const opens = ({ source }: Citation): boolean => source.type === 'file' || source.type === 'session'

export function useOpenCitation(): (citation: Citation) => void {
  const navigate = useNavigate()
  return (citation) => {
    const { source, message, quote } = citation
    if (source.type !== 'session') {
      void navigate({ to: '.', search: true, hash: true, state: { citation } })
      return
    }
    void navigate({
      to: '/chat/$sessionId',
      params: { sessionId: source.id },
      search: { message },
      state: { quote },
    })
  }
}

export function useOpenedCitation(): { citation: Citation | undefined; close: () => void } {
  const { history } = useRouter()
  const citation = useLocation({ select: ({ state }) => state.citation })
  return { citation, close: () => history.back() }
}

export interface CitedMessage {
  seq: number
  quote: string | undefined
  /** Another one is another visit. Undefined while a file's citation is open over the conversation. */
  visit: string | undefined
}

export function useCitedMessage(seq: number | undefined): CitedMessage | undefined {
  const quote = useLocation({ select: ({ state }) => state.quote })
  const visit = useLocation({ select: ({ state }) => (state.citation ? undefined : state.__TSR_key) })
  return seq === undefined ? undefined : { seq, quote, visit }
}
