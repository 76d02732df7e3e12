import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { connectorsQuery } from '../../../api/connections.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useSession } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { ConnectButton } from '../../connections/connections/connect/connect-button.tsx'
import { Phone } from '../phone.tsx'
import { RuleDialog } from '../routing/rule-dialog.tsx'
import { overviewQuery, rulesQuery, type Telephony } from '../telephony-queries.ts'

interface FirstStepsProps {
  overview: Telephony
  onImport: () => void
}

/** Until the first call or message. Each step opens on this page and leads to the next. */
export function FirstSteps({ overview, onImport }: FirstStepsProps) {
  const { configured, numbers } = overview
  const isAdmin = useSession().role !== 'member'
  const rules = useQuery(rulesQuery).data?.items ?? []
  const [isCreatingRule, setCreatingRule] = useState(false)
  const number = numbers.find(({ status }) => status !== 'released')
  const steps = [
    {
      title: t`Connect your carrier`,
      text: t`Use your Twilio account SID and auth token. Your numbers stay in your account.`,
      isDone: configured,
      action: <ConnectTwilio />,
    },
    {
      title: t`Import a number`,
      text: t`Pick a number from your account. Atrium then receives its calls and messages.`,
      isDone: number !== undefined,
      action: (
        <Button look="primary" onClick={onImport}>
          Import number
        </Button>
      ),
    },
    {
      title: t`Choose who answers`,
      text: t`An agent, a person, a workflow or voicemail, for some hours or always.`,
      isDone: rules.length > 0,
      action: (
        <Button look="primary" onClick={() => setCreatingRule(true)}>
          Create rule
        </Button>
      ),
    },
    {
      title: t`Test it`,
      text: number ? (
        <>
          Call <Phone>{number.e164}</Phone> from your phone. The call appears here.
        </>
      ) : (
        t`Call the number from your phone. The call appears here.`
      ),
      isDone: false,
      action: (
        <Link to="/phone/routing" search={{ show: 'try' }} className={buttonClass()}>
          See who would answer
        </Link>
      ),
    },
  ]
  const current = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section
      aria-labelledby="first-steps"
      className="mx-16 my-24 flex max-w-reading flex-col gap-16 md:mx-24"
    >
      <header className="flex flex-col gap-4">
        <h2 id="first-steps" className="font-strong text-20 tracking-heading">
          {number ? t`Almost there` : t`No phone numbers yet`}
        </h2>
        <p className="text-neutral-11">
          Calls and texts to your numbers become conversations with your agents. Every call has a transcript,
          a run and a cost.
        </p>
        {!isAdmin && !number && (
          <p className="text-neutral-11">Ask an organization admin to import a number.</p>
        )}
      </header>
      <ol aria-label="First steps" className="rounded-panel bg-card px-16 shadow-card">
        {steps.map(({ title, text, isDone, action }, index) => (
          <Step
            key={title}
            number={index + 1}
            title={title}
            text={text}
            isDone={isDone}
            isCurrent={index === current}
            action={isAdmin && index === current && action}
          />
        ))}
      </ol>
      {isCreatingRule && <RuleDialog onClose={() => setCreatingRule(false)} />}
    </section>
  )
}

/** Connects in a dialog on this page. */
function ConnectTwilio() {
  const connectors = useQuery(connectorsQuery).data?.items
  const twilio = connectors?.find(({ slug }) => slug === 'twilio')
  if (!twilio) return null
  return (
    <ConnectButton
      connector={twilio}
      isConnected={false}
      look="primary"
      size="normal"
      label="Connect Twilio"
      onConnected={() => void queryClient.invalidateQueries({ queryKey: overviewQuery.queryKey })}
    />
  )
}

interface StepProps {
  number: number
  title: string
  text: ReactNode
  isDone: boolean
  isCurrent: boolean
  action: ReactNode
}

const Step = ({ number, title, text, isDone, isCurrent, action }: StepProps) => (
  <li
    aria-current={isCurrent ? 'step' : undefined}
    className="flex flex-wrap items-center gap-x-16 gap-y-8 border-neutral-6 border-b py-16 last:border-b-0"
  >
    <span
      aria-hidden
      className={`flex size-24 shrink-0 items-center justify-center rounded-round font-medium text-12 tabular-nums ${isDone ? 'bg-good-wash text-good-text' : isCurrent ? 'bg-neutral-12 text-neutral-1' : 'bg-neutral-4 text-neutral-11'}`}
    >
      {isDone ? <Check className="size-12" /> : number}
    </span>
    <span className="min-w-0 flex-1 basis-qr">
      <span className={`block ${isDone ? 'text-neutral-11' : 'font-medium'}`}>
        {title}
        {isDone && <span className="sr-only"> (done)</span>}
      </span>
      {!isDone && <span className="block text-13 text-neutral-11">{text}</span>}
    </span>
    {action}
  </li>
)
