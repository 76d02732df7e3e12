import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('the web search provider and its limits are read', () => {
  expect(
    readConfig({
      ATRIUM_WEB_SEARCH: 'google',
      ATRIUM_WEB_SEARCH_KEY: 'secret',
      ATRIUM_WEB_SEARCH_ENGINE: 'cx',
      ATRIUM_WEB_SEARCH_PRICE: '0.005',
      ATRIUM_WEB_SEARCHES_PER_RUN: '5',
      ATRIUM_WEB_FETCHES_PER_RUN: '0',
    }).webSearch,
  ).toEqual({
    provider: { kind: 'google', url: null, apiKey: 'secret', engineId: 'cx', price: 0.005 },
    searchesPerRun: 5,
    fetchesPerRun: 0,
  })
})

test('the model’s provider needs neither a URL nor a key', () => {
  expect(readConfig({ ATRIUM_WEB_SEARCH: 'model' }).webSearch.provider).toMatchObject({
    ...{ kind: 'model', apiKey: null, price: null },
  })
})

test.each([
  [{ ATRIUM_WEB_SEARCH_PRICE: '1' }, 'ATRIUM_WEB_SEARCH is missing'],
  [{ ATRIUM_WEB_SEARCH: 'model', ATRIUM_WEB_SEARCH_PRICE: '-1' }, 'ATRIUM_WEB_SEARCH_PRICE must be a price'],
  [{ ATRIUM_WEB_SEARCH: 'bing' }, 'ATRIUM_WEB_SEARCH must be searxng, brave'],
  [{ ATRIUM_WEB_SEARCH: 'searxng' }, 'ATRIUM_WEB_SEARCH_URL is missing'],
  [{ ATRIUM_WEB_SEARCH: 'brave' }, 'ATRIUM_WEB_SEARCH_KEY is missing'],
  [{ ATRIUM_WEB_SEARCH: 'google', ATRIUM_WEB_SEARCH_KEY: 'k' }, 'ATRIUM_WEB_SEARCH_ENGINE is missing'],
  [{ ATRIUM_WEB_SEARCH_KEY: 'k' }, 'ATRIUM_WEB_SEARCH is missing'],
  [{ ATRIUM_WEB_SEARCHES_PER_RUN: '-1' }, 'ATRIUM_WEB_SEARCHES_PER_RUN must be a whole number'],
])('%o fails startup', (env, message) => expect(() => readConfig(env)).toThrow(message))
