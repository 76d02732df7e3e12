import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Time } from '../../../components/time.tsx'
import { RepairButton } from '../numbers/repair-button.tsx'
import type { Problem } from '../telephony-queries.ts'
import { localizeProblem } from './problem-sentences.ts'
import { SectionTitle } from './section-title.tsx'

export function Problems({ problems }: { problems: Problem[] }) {
  if (problems.length === 0) return null
  return (
    <section aria-labelledby="problems">
      <SectionTitle id="problems" count={problems.length}>
        Problems
      </SectionTitle>
      <ul className="border-warning-line border-t">
        {problems.map((problem) => (
          <li
            key={`${problem.kind} ${problem.target} ${problem.message}`}
            className="flex flex-wrap items-center gap-x-16 gap-y-8 border-warning-line border-b bg-warning-wash px-16 py-8 text-13 md:px-24"
          >
            <span className="wrap-anywhere min-w-0 flex-1 basis-qr">
              {localizeProblem(problem.message)}{' '}
              {problem.since && (
                <span className="text-12 text-neutral-11">
                  <Time at={problem.since} />
                </span>
              )}
            </span>
            <Repair problem={problem} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Repair({ problem: { kind, target } }: { problem: Problem }) {
  const isAdmin = useSession().role !== 'member'
  const className = buttonClass('plain', 'small')
  switch (kind) {
    case 'number_urls':
      return target && isAdmin ? <RepairButton numberId={target} size="small" /> : null
    case 'account':
      return (
        <Link to="/integrations" search={{ connector: 'twilio' }} className={className}>
          Open connection
        </Link>
      )
    case 'rule':
      return (
        <Link to="/phone/routing" search={target && isAdmin ? { rule: target } : {}} className={className}>
          {isAdmin ? t`Edit rule` : t`Open routing`}
        </Link>
      )
    case 'no_rule':
      return isAdmin ? (
        <Link to="/phone/routing" search={{ rule: 'new' }} className={className}>
          Create rule
        </Link>
      ) : null
    case 'owner':
      return (
        <Link to="/phone/routing" search={{}} className={className}>
          Open routing
        </Link>
      )
    case 'budget':
      return (
        <Link to="/settings/organization/usage" className={className}>
          Open budgets
        </Link>
      )
    case 'failed_sms':
    case 'paused_sms':
      return (
        <Link to="/phone/messages" search={{}} className={className}>
          Open messages
        </Link>
      )
  }
}
