import { Monitor, Smartphone, SquareTerminal } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Row, Rows } from '../../../components/section.tsx'
import { Time } from '../../../components/time.tsx'
import { describeDevice } from './describe-device.ts'
import { type SecurityOverview, useSecurityMutation } from './security-queries.ts'

const ICONS = { computer: Monitor, phone: Smartphone, program: SquareTerminal }

export function Sessions({ sessions }: { sessions: SecurityOverview['sessions'] }) {
  const revokeOthers = useSecurityMutation(() => api.security.endOtherSessions(), t`Other sessions revoked`)
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
        <Button className="self-end" busy={revokeOthers.isPending} onClick={() => revokeOthers.mutate()}>
          Revoke all other sessions
        </Button>
      )}
    </>
  )
}

function SessionRow({ session }: { session: SecurityOverview['sessions'][number] }) {
  const { label, kind } = describeDevice(session.userAgent)
  const Icon = ICONS[kind]
  const revoke = useSecurityMutation(
    () => api.security.endSession({ id: session.id }),
    t`Revoked the session on ${label}`,
  )
  return (
    <Row
      icon={<Icon aria-hidden className="icon text-neutral-11" />}
      title={
        <>
          <span title={session.userAgent ?? undefined} className="truncate font-medium">
            {label}
          </span>
          {session.current && <Badge accent>Current</Badge>}
        </>
      }
      note={
        <>
          <code className="font-mono">{session.address}</code> · Last active <Time at={session.lastSeenAt} />{' '}
          · Signed in <Time at={session.createdAt} />
        </>
      }
    >
      {!session.current && (
        <Button
          size="small"
          look="quiet"
          aria-label={textWithNames`Revoke the session on ${label}`}
          busy={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          Revoke
        </Button>
      )}
    </Row>
  )
}
