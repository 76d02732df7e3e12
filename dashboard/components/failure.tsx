import { TriangleAlert } from 'lucide-react'
import { explain, isOffline } from '../api/explain.ts'
import { Button } from './button.tsx'
import { Copy } from './copy.tsx'

interface FailureProps {
  error: unknown
  onRetry?: () => void
  /** Fills the page, so its title is the `h1`. */
  page?: boolean
}

export function Failure({ error, onRetry, page }: FailureProps) {
  const Heading = page ? 'h1' : 'h2'
  const { title, meaning, requestId, retryable } = explain(error)
  return (
    <div role="alert" className="flex max-w-reading flex-col items-start gap-16 px-16 py-32 md:px-24">
      <TriangleAlert aria-hidden strokeWidth={1.5} className="size-24 text-warning-text" />
      <div className="flex flex-col gap-4">
        <Heading className="font-strong text-16">{title}</Heading>
        <p className="text-neutral-11">{meaning}</p>
      </div>
      {requestId && (
        <p className="flex items-center gap-8 text-12 text-neutral-11">
          Request ID <code className="font-mono text-neutral-12">{requestId}</code>
          <Copy value={requestId} what="request ID" />
        </p>
      )}
      {retryable && onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

export function FormFailure({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <p
      ref={reveal}
      role="alert"
      className="rounded-control border border-bad-line bg-bad-wash px-12 py-8 text-13 text-bad-text"
    >
      {children}
    </p>
  )
}

/** Beside the button that saves: the field has no fault. */
export function NotSaved({ error }: { error: unknown }) {
  if (!isOffline(error)) return null
  return (
    <p role="alert" className="text-13 text-bad-text">
      Not saved. Try again when you’re back online.
    </p>
  )
}

/** In a long form, the message can be outside the viewport on submit. */
const reveal = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
