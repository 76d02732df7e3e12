import type { RequestTemplate, TemplateValue } from './request-template.ts'

/** The names under which a template reaches the connection; an input cannot have them. */
export const RESERVED_NAMES = ['account', 'config', 'credentials', 'kept']

/** A name that a template refers to, and where. */
export interface TemplateName {
  at: string
  name: string
}

export const namesInText = (text: string, at: string): TemplateName[] =>
  [...text.matchAll(/\{([A-Za-z][\w.]*)\}/g)].map(([, name]) => ({ at, name: name! }))

/** Every name in a request: `{name}` in the path and the headers, references elsewhere. */
export function namesInRequest(request: RequestTemplate, at: string): TemplateName[] {
  const { path, headers = {}, query, json, form, graphql } = request
  return [
    ...namesInText(path, `${at}.path`),
    ...Object.entries(headers).flatMap(([header, value]) => namesInText(value, `${at}.headers.${header}`)),
    ...namesInValue(query, `${at}.query`),
    ...namesInValue(json, `${at}.json`),
    ...namesInValue(form, `${at}.form`),
    ...namesInValue(graphql?.variables, `${at}.graphql.variables`),
  ]
}

function namesInValue(value: TemplateValue | undefined, at: string): TemplateName[] {
  if (typeof value !== 'object' || value === null) return []
  if ('$' in value) return [{ at, name: value.$ as string }]
  return Object.entries(value).flatMap(([key, each]) => namesInValue(each as TemplateValue, `${at}.${key}`))
}
