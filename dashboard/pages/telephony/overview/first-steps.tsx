import { useQuery } from '@tanstack/react-query'
import { Check, Phone as PhoneIcon } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { connectorsQuery } from '../../../api/connections.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { ConnectButton } from '../../connections/connections/connect/connect-button.tsx'
import { overviewQuery } from '../telephony-queries.ts'

interface FirstStepsProps {
  /** A carrier connection or server account exists. */
  configured: boolean
  onImport: () => void
}

export function FirstSteps({ configured, onImport }: FirstStepsProps) {
  const isAdmin = useSession().role !== 'member'
  return (
    <>
      <Empty
        inline
        icon={PhoneIcon}
        title="No phone numbers yet"
        action={<NextAction {...{ configured, isAdmin, onImport }} />}
      >
        Calls and texts to your numbers become conversations with your agents. An agent answers right away,
        and every call has a transcript, a run and a cost.
      </Empty>
      <ol aria-label="First steps" className="mx-16 max-w-reading border-neutral-6 border-t text-13 md:mx-24">
        <Step
          number={1}
          isDone={configured}
          title="Connect Twilio"
          text={t`Use your account SID and auth token.`}
        />
        <Step
          number={2}
          title="Import number"
          text={t`Pick a number from your account. Atrium then receives its calls and messages.`}
        />
        <Step
          number={3}
          title="Create rule"
          text={t`Choose which agent, person or voicemail answers, and when.`}
        />
      </ol>
    </>
  )
}

function NextAction({ configured, isAdmin, onImport }: FirstStepsProps & { isAdmin: boolean }) {
  if (!isAdmin)
    return <p className="text-13 text-neutral-11">Ask an organization admin to import a number.</p>
  if (configured)
    return (
      <Button look="primary" onClick={onImport}>
        Import number
      </Button>
    )
  return <ConnectTwilio />
}

/** Connects in a dialog on this page, which then offers the next step. */
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
  isDone?: boolean
  title: string
  text: string
}

const Step = ({ number, isDone, title, text }: StepProps) => (
  <li className="flex items-baseline gap-12 border-neutral-6 border-b py-12">
    <span aria-hidden className="flex w-16 shrink-0 justify-center self-center text-neutral-11 tabular-nums">
      {isDone ? <Check className="icon text-good-text" /> : number}
    </span>
    <span className="min-w-0">
      <span className="block font-medium">
        {title}
        {isDone && <span className="sr-only"> (done)</span>}
      </span>
      <span className="block text-12 text-neutral-11">{text}</span>
    </span>
  </li>
)
