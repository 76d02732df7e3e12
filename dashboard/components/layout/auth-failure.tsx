import { explain } from '../../api/explain.ts'
import { Button } from '../button.tsx'
import { Copy } from '../copy.tsx'
import { AuthLayout } from './auth-layout.tsx'

/** The error state of a signed-out page. */
export function AuthFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { title, meaning, requestId } = explain(error)
  return (
    <AuthLayout title={title} lead={meaning}>
      {requestId && (
        <p className="flex items-center gap-8 text-12 text-neutral-11">
          Request ID <code className="font-mono text-neutral-12">{requestId}</code>
          <Copy value={requestId} what="request ID" />
        </p>
      )}
      <Button className="self-start" onClick={onRetry}>
        Try again
      </Button>
    </AuthLayout>
  )
}
