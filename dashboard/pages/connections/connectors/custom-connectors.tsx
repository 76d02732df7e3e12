import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { customConnectorsQuery } from '../../../api/connections/custom-connectors.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Mark } from '../../../components/connectors/mark.tsx'
import { Name } from '../../../components/name.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'

/** Services of the organization as connectors. */
export function CustomConnectors() {
  const items = useQuery(customConnectorsQuery).data?.items ?? []
  return (
    <Section
      title="Custom connectors"
      lead="Lets agents use the API of your own service. Define it as JSON or import an OpenAPI document. Requests go to one host only."
    >
      {items.length > 0 && (
        <Rows label="Custom connectors">
          {items.map(({ slug, name, baseUrl, toolCount }) => (
            <Row
              key={slug}
              icon={<Mark slug={slug} name={name} />}
              title={
                <Link
                  to="/settings/organization/connectors/$slug"
                  params={{ slug }}
                  className="truncate font-medium hover:underline"
                >
                  <Name>{name}</Name>
                </Link>
              }
              note={`${baseUrl} · ${toolCount === 1 ? '1 tool' : `${toolCount} tools`}`}
            />
          ))}
        </Rows>
      )}
      <div className="flex flex-wrap gap-8">
        <Link
          to="/settings/organization/connectors/$slug"
          params={{ slug: 'import' }}
          className={buttonClass()}
        >
          Import OpenAPI
        </Link>
        <Link to="/settings/organization/connectors/$slug" params={{ slug: 'new' }} className={buttonClass()}>
          Write JSON
        </Link>
      </div>
    </Section>
  )
}
