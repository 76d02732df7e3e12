import { useNavigate, useRouterState } from '@tanstack/react-router'
import type { PublicEntry } from '../../api/files/files.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The folders that the visitor of a public folder opened below it, and at the end the file. */
    opened?: PublicEntry[]
  }
}

/** The path from the entry of the link to the shown entry. It is part of the browser history, so that Back returns to the folder. */
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
