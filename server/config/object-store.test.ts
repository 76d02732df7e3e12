import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

describe('an S3 object store', () => {
  const objectStoreOf = (env: Record<string, string>) => readConfig(env).objects

  test("needs only a bucket name on Amazon, with the machine's region and role", () => {
    const amazon = {
      kind: 's3',
      bucket: 'our-files',
      endpoint: null,
      forcePathStyle: false,
      credentials: null,
    }
    expect(objectStoreOf({ ATRIUM_OBJECTS: 's3://our-files' })).toEqual({ ...amazon, region: 'us-east-1' })
    expect(objectStoreOf({ ATRIUM_OBJECTS: 's3://our-files', AWS_REGION: 'eu-1' })).toEqual({
      ...amazon,
      region: 'eu-1',
    })
  })

  test('uses path-style URLs by default outside Amazon', () => {
    const env = { ATRIUM_OBJECTS: 's3://our-files?endpoint=http://localhost:9000' }
    expect(objectStoreOf(env)).toMatchObject({ endpoint: 'http://localhost:9000', forcePathStyle: true })
    expect(objectStoreOf({ ATRIUM_OBJECTS: `${env.ATRIUM_OBJECTS}&forcePathStyle=false` })).toMatchObject({
      forcePathStyle: false,
    })
  })

  test('accepts temporary credentials', () =>
    expect(
      objectStoreOf({
        ATRIUM_OBJECTS: 's3://our-files',
        AWS_ACCESS_KEY_ID: 'one',
        AWS_SECRET_ACCESS_KEY: 'two',
        AWS_SESSION_TOKEN: 'three',
      }),
    ).toMatchObject({ credentials: { accessKeyId: 'one', secretAccessKey: 'two', sessionToken: 'three' } }))
})
