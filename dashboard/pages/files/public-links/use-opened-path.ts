import { useNavigate, useRouterState } from '@tanstack/react-router'
import type { PublicEntry } from '../../../api/files/files.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The folders that the guest opened below the public folder, then the opened file. */
    opened?: PublicEntry[]
  }
}

/** The path from the entry of the link to the shown entry. The browser history contains it, so that Back works. */
export function useOpenedPath(entry: PublicEntry) {
  const opened = useRouterState({ select: ({ location }) => location.state.opened })
  const navigate = useNavigate()
  const path = [entry, ...(opened ?? [])]
  return {
    path,
    /** Shows the last entry of a path that starts with the entry of the link. */
    show: (next: readonly PublicEntry[]) =>
      void navigate({ to: '/f', hash: true, state: { opened: next.slice(1) } }),
  }
}
