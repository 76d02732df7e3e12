import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type Session, sessionQuery, useSession } from '../../../api/session.ts'
import { useStepUpRequest } from '../../../api/step-up.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { useSignOut } from '../../../frame/sign-out.ts'
import { StepUpDialog } from '../../../frame/step-up-dialog.tsx'
import { useSwitchWorkspace } from '../../../frame/switch-workspace.ts'
import { useCancelErasure } from '../organization/erasure-section.tsx'

type Suspension = NonNullable<Session['suspension']>

/** Replaces every page in a suspended organization. */
export function SuspendedPage({ suspension }: { suspension: Suspension }) {
  const { organization, organizations, user } = useSession()
  const queries = useQueryClient()
  const switchTo = useSwitchWorkspace()
  const signOut = useSignOut()
  const isStepUpRequested = useStepUpRequest() !== null
  const otherOrganizations = organizations.filter(({ id }) => id !== organization.id)
  return (
    <AuthLayout
      title={
        suspension.eraseAfter
          ? textWithNames`${organization.name} is scheduled for erasure`
          : textWithNames`${organization.name} is suspended`
      }
      lead={
        suspension.eraseAfter ? <ErasureNotice suspension={suspension} /> : <Notice suspension={suspension} />
      }
    >
      {suspension.eraseAfter && <CancelErasure name={organization.name} />}
      {otherOrganizations.length > 0 && (
        <section aria-label="Other organizations" className="flex flex-col gap-8">
          <h2 className="font-strong text-13">Your other organizations</h2>
          {otherOrganizations.map(({ id, name }) => (
            <Button key={id} onClick={() => switchTo({ organizationId: id, name })}>
              <Name>{name}</Name>
            </Button>
          ))}
        </section>
      )}
      <div className="flex flex-wrap gap-8">
        <Button onClick={() => queries.invalidateQueries({ queryKey: sessionQuery.queryKey })}>
          Check again
        </Button>
        <Link to="/settings/account" className={buttonClass('quiet')}>
          Account
        </Link>
        {user.operator && (
          <Link to="/operate/organizations" className={buttonClass('quiet')}>
            All organizations
          </Link>
        )}
        <Button look="quiet" onClick={signOut}>
          Sign out
        </Button>
      </div>
      {isStepUpRequested && <StepUpDialog />}
    </AuthLayout>
  )
}

const Notice = ({ suspension: { reason, since } }: { suspension: Suspension }) => (
  <>
    A server operator suspended it <Time at={since} />: <q className="wrap-anywhere">{reason}</q> Runs,
    schedules and deliveries wait. No data is deleted.
  </>
)

const ErasureNotice = ({ suspension: { eraseAfter } }: { suspension: Suspension }) => (
  <>
    Everything in this organization will be deleted {eraseAfter && <Time at={eraseAfter} isExpected />}. Until
    then, an owner can cancel the erasure.
  </>
)

function CancelErasure({ name }: { name: string }) {
  const { role } = useSession()
  const cancel = useCancelErasure(null, name)
  if (role !== 'owner') return null
  return (
    <Button look="primary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel erasure
    </Button>
  )
}
