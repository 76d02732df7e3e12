import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck, CircleHelp, Clock, type LucideIcon } from 'lucide-react'
import { Button, buttonClass } from '../../../components/button.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'

type Outcome = 'approved' | 'consumed' | 'denied' | 'expired' | 'unknown'

interface DeviceOutcomeProps {
  status: Outcome
  /** Decided on this page just now, not before it was opened. */
  justNow?: boolean
  onOther: () => void
}

/** The outcome of a device authorization request. */
export function DeviceOutcome({ status, justNow, onOther }: DeviceOutcomeProps) {
  const { icon: Icon, tone, title, lead } = OUTCOMES[status]
  return (
    <AuthLayout title={justNow ? title : `${title}${ALREADY[status] ?? ''}`} lead={lead}>
      <div className="flex items-center gap-16">
        <Icon aria-hidden strokeWidth={1.5} className={`size-32 ${tone}`} />
        {!justNow && <Button onClick={onOther}>Enter another code</Button>}
        <Link to="/settings/api-keys" className={buttonClass()}>
          View API keys
        </Link>
      </div>
    </AuthLayout>
  )
}

const ALREADY: Partial<Record<Outcome, string>> = { approved: ' already', denied: ' already' }

const OUTCOMES: Record<Outcome, { icon: LucideIcon; tone: string; title: string; lead: string }> = {
  approved: {
    icon: CircleCheck,
    tone: 'text-good-text',
    title: 'Approved',
    lead: 'Return to your terminal. You can revoke its access under API keys.',
  },
  consumed: {
    icon: CircleCheck,
    tone: 'text-good-text',
    title: 'This code was already used',
    lead: 'The device is signed in. You can revoke its access under API keys.',
  },
  denied: {
    icon: Ban,
    tone: 'text-bad-text',
    title: 'Denied',
    lead: 'The device did not get access. If you did not start this, someone else may have tried to use your account.',
  },
  expired: {
    icon: Clock,
    tone: 'text-warning-text',
    title: 'This code has expired',
    lead: 'Run the command in your terminal again to get a new code.',
  },
  unknown: {
    icon: CircleHelp,
    tone: 'text-warning-text',
    title: 'Invalid code',
    lead: 'The code is mistyped or has expired. Compare it with the code in your terminal.',
  },
}
