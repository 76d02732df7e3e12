import { Link } from '@tanstack/react-router'
import { Ban, CircleCheck, CircleHelp, Clock, type LucideIcon } from 'lucide-react'
import { Button, buttonClass } from '../../components/button.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'

type Outcome = 'approved' | 'consumed' | 'denied' | 'expired' | 'unknown'

interface DeviceOutcomeProps {
  status: Outcome
  /** Decided on this page, rather than found decided. */
  justNow?: boolean
  onOther: () => void
}

/** How a request to sign in ended. */
export function DeviceOutcome({ status, justNow, onOther }: DeviceOutcomeProps) {
  const { icon: Icon, tone, title, lead } = OUTCOMES[status]
  return (
    <AuthLayout title={justNow ? title : `${title}${ALREADY[status] ?? ''}`} lead={lead}>
      <div className="flex items-center gap-16">
        <Icon aria-hidden strokeWidth={1.5} className={`size-32 ${tone}`} />
        {!justNow && <Button onClick={onOther}>Enter another code</Button>}
        <Link to="/settings/api-keys" className={buttonClass()}>
          See your API keys
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
    lead: 'Return to your terminal: it goes on by itself. You can close this page. The key it gets is listed under API keys, where you can revoke it.',
  },
  consumed: {
    icon: CircleCheck,
    tone: 'text-good-text',
    title: 'This code was used',
    lead: 'The device that showed it is signed in. Its key is listed under API keys, where you can revoke it.',
  },
  denied: {
    icon: Ban,
    tone: 'text-bad-text',
    title: 'Denied',
    lead: 'The device was told no and got nothing. If you did not start this, somebody may have tried to be let in by you.',
  },
  expired: {
    icon: Clock,
    tone: 'text-warning-text',
    title: 'This code is too old',
    lead: 'A code works for a few minutes. Start again in your terminal, and it shows a new one.',
  },
  unknown: {
    icon: CircleHelp,
    tone: 'text-warning-text',
    title: 'No device waits with this code',
    lead: 'It was mistyped, or it is too old. Compare it with the one in your terminal, or start again there.',
  },
}
