import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { organizationApi } from '../../../api/organizations.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { CopyId } from '../../../components/copy.tsx'
import { Failure } from '../../../components/failure.tsx'
import { FactRow } from '../../../components/layout/fact.tsx'
import { Name } from '../../../components/name.tsx'
import { NameForm } from '../../../components/name-form.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { ErasureSection } from './erasure-section.tsx'
import { ExportsSection } from './exports-section.tsx'
import { organizationQuery } from './organization-queries.ts'
import { ROLE_LABELS } from './role-labels.ts'

export function OrganizationPage() {
  const { role } = useSession()
  const organization = useQuery(organizationQuery)
  const queries = useQueryClient()
  const rename = async (name: string) => {
    await organizationApi.organization.update({ name })
    void queries.invalidateQueries({ queryKey: organizationQuery.queryKey })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const { data } = organization
  return (
    <Page title="General">
      {organization.isPending && <SkeletonRows rows={3} />}
      {organization.error && !data && (
        <Failure error={organization.error} onRetry={() => organization.refetch()} />
      )}
      {data && (
        <>
          <Section title="Name" lead="Shown to members and in invitation emails.">
            {role === 'member' ? (
              <p>
                <Name>{data.name}</Name>
                <span className="block text-12 text-neutral-11">
                  Only owners and admins can change the name.
                </span>
              </p>
            ) : (
              <NameForm key={data.name} label="Organization name" name={data.name} onSave={rename} />
            )}
          </Section>
          <Section title="Details">
            <dl className="border-neutral-6 border-t text-13">
              <FactRow label="Organization ID">
                <CopyId id={data.id} what="organization ID" />
              </FactRow>
              <FactRow label="Members">
                <Link
                  to="/settings/organization/members"
                  className="text-selection-text underline underline-offset-4"
                >
                  {data.memberCount}
                </Link>
              </FactRow>
              <FactRow label="Your role">{ROLE_LABELS[role].label}</FactRow>
              <FactRow label="Created">
                <Time at={data.createdAt} />
              </FactRow>
            </dl>
          </Section>
          {role === 'owner' && (
            <>
              <ExportsSection organizationId={null} />
              <ErasureSection organization={data} erasure={null} />
            </>
          )}
        </>
      )}
    </Page>
  )
}
