import { Link } from '@tanstack/react-router'
import { LoaderCircle } from 'lucide-react'
import { Time } from '../../time.tsx'
import { type RunView, stepsOf } from '../view/run-view.ts'

/** What an active run does while it shows no text: it thinks, or waits for something. */
export function RunActivity({ run }: { run: RunView }) {
  const label = activityOf(run)
  if (!label) return null
  return (
    <p role="status" className="flex items-center gap-8 text-13 text-neutral-11">
      <LoaderCircle aria-hidden className="icon motion-safe:animate-spin" />
      <span>
        {label}
        {run.wait?.for === 'retry' && run.wait.until && (
          <>
            {' '}
            Next attempt <Time at={run.wait.until} isExpected />.
          </>
        )}
        {run.wait?.for === 'budget' && (
          <>
            {' '}
            <Link to="/settings" className="underline">
              Settings
            </Link>
          </>
        )}
      </span>
    </p>
  )
}

const WAITS: Record<string, string> = {
  budget: 'A budget is used up: the run waits until it is raised.',
  connection: 'Waits for a connection.',
  retry: 'The provider did not respond.',
  child: 'Waits for another agent.',
}

function activityOf(run: RunView): string | null {
  if (run.status === 'queued') return 'Starting…'
  if (run.status === 'waiting') return WAITS[run.wait?.for ?? ''] ?? null
  const step = stepsOf(run).at(-1)
  const attempt = step?.attempts.at(-1)
  if (!step || !attempt || attempt.state !== 'streaming') {
    const isBusy = step?.calls.some(({ state }) => state === 'running' || state === 'approval')
    return isBusy ? null : 'Working…'
  }
  return attempt.parts.length === 0 ? 'Thinking…' : null
}
