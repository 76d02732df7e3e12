import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import type { Citation } from '../../api/conversations.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The viewer is open at this passage. Kept by a reload, and closed by Back. */
    citation?: Citation
  }
}

/** Files and conversations open. Notes and memories have only their card. */
export const opens = ({ source }: Citation): boolean => source.type === 'file' || source.type === 'session'

export function useOpenCitation(): (citation: Citation) => void {
  const navigate = useNavigate()
  return (citation) => {
    const { type, id } = citation.source
    if (type === 'session') return void navigate({ to: '/chat/$sessionId', params: { sessionId: id } })
    void navigate({ to: '.', search: true, hash: true, state: { citation } })
  }
}

export function useOpenedCitation(): { citation: Citation | undefined; close: () => void } {
  const { history } = useRouter()
  const citation = useLocation({ select: ({ state }) => state.citation })
  return { citation, close: () => history.back() }
}
