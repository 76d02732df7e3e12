import { Monitor, Smartphone, SquareTerminal } from 'lucide-react'
import { api } from '../../../api/client.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Time } from '../../../components/time.tsx'
import { Row, Rows } from '../section.tsx'
import { describeDevice } from './describe-device.ts'
import type { SecurityOverview } from './security-queries.ts'
import { useSecurityMutation } from './use-security-mutation.ts'

const ICONS = { computer: Monitor, phone: Smartphone, program: SquareTerminal }

export function Sessions({ sessions }: { sessions: SecurityOverview['sessions'] }) {
  const endOthers = useSecurityMutation(
    () => api.security.endOtherSessions(),
    'Your other sessions have ended',
  )
  const others = sessions.filter((session) => !session.current)
  return (
    <>
      <Rows label="Sessions">
        {[...sessions]
          .sort((a, b) => Number(b.current) - Number(a.current))
          .map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
      </Rows>
      {others.length > 0 && (
        <Button className="self-end" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          End all other sessions
        </Button>
      )}
    </>
  )
}

function SessionRow({ session }: { session: SecurityOverview['sessions'][number] }) {
  const { words, kind } = describeDevice(session.userAgent)
  const Icon = ICONS[kind]
  const end = useSecurityMutation(
    () => api.security.endSession({ id: session.id }),
    `Ended the session of ${words}`,
  )
  return (
    <Row
      icon={<Icon aria-hidden className="icon text-neutral-11" />}
      title={
        <>
          <span title={session.userAgent ?? undefined} className="truncate font-medium">
            {words}
          </span>
          {session.current && <Badge accent>this one</Badge>}
        </>
      }
      note={
        <>
          <code className="font-mono">{session.address}</code> · seen <Time at={session.lastSeenAt} /> · since{' '}
          <Time at={session.createdAt} />
        </>
      }
    >
      {!session.current && (
        <Button
          size="small"
          look="quiet"
          aria-label={`End the session of ${words}`}
          busy={end.isPending}
          onClick={() => end.mutate()}
        >
          End
        </Button>
      )}
    </Row>
  )
}
