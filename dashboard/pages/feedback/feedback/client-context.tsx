import { Button } from '../../../components/button.tsx'
import { shownTheme } from '../../../state/theme.ts'

/** The client context attached to feedback, shown before it is sent. A type alias, since the API takes any JSON object. */
export type ClientContext = {
  route: string
  viewport: { width: number; height: number }
  theme: string
  userAgent: string
}

/** The route without the hash, which may contain a secret. */
export const readClientContext = (): ClientContext => ({
  route: location.pathname + location.search,
  viewport: { width: innerWidth, height: innerHeight },
  theme: shownTheme(),
  userAgent: navigator.userAgent,
})

interface ClientContextNoteProps {
  attached: ClientContext | null
  onChange: (attached: ClientContext | null) => void
}

export function ClientContextNote({ attached, onChange }: ClientContextNoteProps) {
  if (!attached) {
    return (
      <p className="flex items-center gap-8 text-12 text-neutral-11">
        No page details attached.
        <Button size="small" look="quiet" onClick={() => onChange(readClientContext())}>
          Attach page details
        </Button>
      </p>
    )
  }
  const { route, viewport, theme, userAgent } = attached
  return (
    <div className="flex items-start gap-8 rounded-control border border-neutral-6 py-8 pr-8 pl-12 text-12 text-neutral-11">
      <div className="min-w-0 flex-1 break-words">
        <p>
          Attached: page <span className="font-mono text-neutral-12">{route}</span>, window {viewport.width}×
          {viewport.height}, {theme} theme, browser
        </p>
        <p>{userAgent}</p>
      </div>
      <Button size="small" look="quiet" aria-label="Remove attachment" onClick={() => onChange(null)}>
        Remove
      </Button>
    </div>
  )
}
