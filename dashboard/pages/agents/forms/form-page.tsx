import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { formQuery } from '../../../api/for-each.ts'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { Name } from '../../../components/name.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { FormRequest } from '../../../components/workflow-forms/form-request.tsx'
import { Page } from '../../../frame/page.tsx'

const route = getRouteApi('/app/forms/$formId')

/** A workflow waits for its answer. */
export function FormPage() {
  const { formId } = route.useParams()
  const { data, error, isPending, refetch } = useQuery(formQuery(formId))
  return (
    <Page title={data?.title || t`Form`} breadcrumb={<Breadcrumb to="/forms">Forms</Breadcrumb>}>
      {isPending && <SkeletonRows rows={3} />}
      {error && !data && (
        <RecordFailure
          error={error}
          onRetry={() => refetch()}
          title="Form not found"
          to="/forms"
          action="All forms"
        />
      )}
      {data && (
        <div className="flex max-w-column flex-col gap-16 px-16 py-16 md:px-24">
          <p className="text-13 text-neutral-11">
            <Link to="/projects/$ref" params={{ ref: data.projectId }} className="hover:underline">
              <Name>{data.projectName}</Name>
            </Link>
            {' · '}
            <Link to="/runs/$runId" params={{ runId: data.runId }} className="hover:underline">
              Open run
            </Link>
          </p>
          <FormRequest form={data} />
        </div>
      )}
    </Page>
  )
}
