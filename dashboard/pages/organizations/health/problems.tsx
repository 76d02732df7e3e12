import { CircleCheck, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { Health } from './health-query.ts'
import { PROBLEMS } from './labels.ts'

/** Problems that need an operator; a live region announces changes to screen readers. */
export function Problems({ problems }: { problems: Health['problems'] }) {
  return (
    <section aria-label="Problems" aria-live="polite">
      {problems.length === 0 ? (
        <p className="flex items-center gap-8 text-13">
          <CircleCheck aria-hidden className="icon text-good-text" />
          No problems found.
        </p>
      ) : (
        <ul className="flex flex-col gap-8 text-13">
          {problems.map(({ level, code, message }) => (
            <li key={code + message} className="flex items-start gap-8">
              {level === 'critical' ? (
                <OctagonAlert aria-hidden className="icon mt-px shrink-0 text-bad-text" />
              ) : (
                <TriangleAlert aria-hidden className="icon mt-px shrink-0 text-warning-text" />
              )}
              <span>
                <span className="sr-only">{level === 'critical' ? 'Critical: ' : 'Warning: '}</span>
                {PROBLEMS[code] ?? message}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
