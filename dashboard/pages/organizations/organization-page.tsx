import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type OrganizationDetails, operatedOrganizationQuery } from '../../api/organizations/organizations.ts'
import { formatCost } from '../../components/amounts.ts'
import { buttonClass } from '../../components/button.tsx'
import { CopyId } from '../../components/copy.tsx'
import { Failure } from '../../components/failure.tsx'
import { Name } from '../../components/name.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Time } from '../../components/time.tsx'
import { Page } from '../../frame/page.tsx'
import { Fact } from '../settings/fact.tsx'
import { ErasureSection } from '../settings/organization/erasure-section.tsx'
import { ExportsSection } from '../settings/organization/exports-section.tsx'
import { Section } from '../settings/section.tsx'
import { formatAmount } from '../settings/usage/quota-bar.tsx'
import { OrganizationStatusLabel } from './organization-status.tsx'
import { QuotasSection } from './quotas-section.tsx'
import { SuspensionSection } from './suspension-section.tsx'

const route = getRouteApi('/app/operate/organizations/$id')

/** One organization, for operators: its usage, its limits, and the actions on the whole organization. */
export function OrganizationPage() {
  const { id } = route.useParams()
  const query = useQuery(operatedOrganizationQuery(id))
  const { data } = query
  return (
    <Page
      title={data?.name ?? 'Organization'}
      breadcrumb={
        <Link
          to="/operate/organizations"
          aria-label="All organizations"
          className={buttonClass('quiet', 'icon')}
        >
          <ArrowLeft aria-hidden className="icon" />
        </Link>
      }
    >
      {query.isPending && <SkeletonRows />}
      {query.error && !data && <Failure error={query.error} onRetry={() => query.refetch()} />}
      {data && (
        <>
          <Section title="Usage" lead="Counted when this page was opened.">
            <Facts organization={data} />
          </Section>
          <SuspensionSection organization={data} />
          <QuotasSection id={id} />
          <ExportsSection organizationId={id} />
          <ErasureSection organization={data} erasure={data.erasure} byOperator />
        </>
      )}
    </Page>
  )
}

function Facts({
  organization: { id, status, owners, usage, createdAt },
}: {
  organization: OrganizationDetails
}) {
  const { members, projects, files, storage, runs, spend, activeAt } = usage
  const formatUsage = ({ used, allowed }: typeof files, unit: 'items' | 'bytes') =>
    `${formatAmount(used, unit)} of ${formatAmount(allowed, unit)}`
  return (
    <dl className="border-neutral-6 border-t text-13 tabular-nums">
      <Fact name="Status">
        <OrganizationStatusLabel status={status} />
      </Fact>
      <Fact name="Organization ID">
        <CopyId id={id} what="organization ID" />
      </Fact>
      <Fact name={owners.length === 1 ? 'Owner' : 'Owners'}>
        <ul>
          {owners.map((owner) => (
            <li key={owner.id} className="wrap-anywhere">
              <Name>{owner.name}</Name> <span className="text-neutral-11">{owner.email}</span>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name="Members">{formatAmount(members, 'items')}</Fact>
      <Fact name="Projects">{formatUsage(projects, 'items')}</Fact>
      <Fact name="Files">{formatUsage(files, 'items')}</Fact>
      <Fact name="File storage">{formatUsage(storage, 'bytes')}</Fact>
      <Fact name="Runs">{formatAmount(runs, 'items')}</Fact>
      <Fact name="Spend">{formatCost({ amount: spend })}</Fact>
      <Fact name="Last active">
        <Time at={activeAt} />
      </Fact>
      <Fact name="Created">
        <Time at={createdAt} />
      </Fact>
    </dl>
  )
}
