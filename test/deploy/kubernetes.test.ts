// deploy/k8s.yaml against the types of the API, which `kubernetes-types` has made of its OpenAPI document (1.30), and its objects
// against each other. No cluster runs here: what an admission controller or the scheduler says of them is not tested.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js'
import type { Job } from 'kubernetes-types/batch/v1.js'
import type { PodSpec, Service } from 'kubernetes-types/core/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config.ts'
import { ROOT } from '../support/document-requests.ts'

const text = readFileSync(join(ROOT, 'deploy/k8s.yaml'), 'utf8')

interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
}

// kubectl reads YAML 1.1, in which 0440 is octal
const objects = parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as KubernetesObject)
const [job, deployment, service, autoscaler, budget] = objects as unknown as [
  Job,
  Deployment,
  Service,
  HorizontalPodAutoscaler,
  PodDisruptionBudget,
]

/** What the compiler has against these objects being of their types; nothing when they are. */
function complaints(all: readonly KubernetesObject[]): string[] {
  const checked = join(ROOT, 'test/deploy/objects.ts')
  const lines = all.map(({ apiVersion, kind, ...rest }, n) => {
    const room = apiVersion.includes('/') ? apiVersion.replace(/\..*(?=\/)/, '') : `core/${apiVersion}`
    const value = JSON.stringify({ apiVersion, kind, ...rest }, null, 1)
    return `import type { ${kind} as Kind${n} } from 'kubernetes-types/${room}'\nexport const object${n}: Kind${n} = ${value}\n`
  })
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === checked || fileExists(name)
  host.getSourceFile = (name, ...others) =>
    name === checked
      ? ts.createSourceFile(name, lines.join(''), ts.ScriptTarget.ES2023)
      : getSourceFile(name, ...others)
  const program = ts.createProgram([checked], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const podsOf = (spec: PodSpec | undefined) => spec as PodSpec
const pods = [podsOf(job.spec?.template.spec), podsOf(deployment.spec?.template.spec)]

describe('deploy/k8s.yaml', () => {
  it('has the objects that are wanted', () => {
    expect(objects.map(({ kind }) => kind)).toEqual([
      'Job',
      'Deployment',
      'Service',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
    ])
  })

  it('is of the types of the API', () => {
    expect(complaints(objects)).toEqual([])
  })

  it('would not be with a word or a value that there is not', () => {
    const changed = structuredClone([deployment, service] as const)
    Object.assign(podsOf(changed[0].spec?.template.spec).containers[0].readinessProbe!, { periodSecond: 2 })
    Object.assign(changed[1].spec!.ports![0], { port: '80' })
    expect(complaints(changed as unknown as KubernetesObject[])).toEqual([
      expect.stringContaining(`'"periodSecond"' does not exist in type 'Probe'`),
      "Type 'string' is not assignable to type 'number'.",
    ])
  })

  it('leads to the same pods from everywhere', () => {
    const { labels } = deployment.spec!.template.metadata!
    expect(deployment.spec!.selector.matchLabels).toEqual(labels)
    expect(service.spec!.selector).toEqual(labels)
    expect(budget.spec!.selector!.matchLabels).toEqual(labels)
    for (const { podAffinityTerm } of pods[1].affinity!.podAntiAffinity!
      .preferredDuringSchedulingIgnoredDuringExecution!) {
      expect(podAffinityTerm.labelSelector!.matchLabels).toEqual(labels)
    }
    expect(job.spec!.template.metadata!.labels).not.toEqual(labels)
    expect(autoscaler.spec!.scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: deployment.metadata!.name,
    })
  })

  it('has the migration under the label that it is applied by', () => {
    const [, label] = /apply -f deploy\/k8s\.yaml -l (\S+)/.exec(text)!
    const [name, value] = label.split('=')
    expect(objects.filter(({ metadata }) => metadata.labels[name] === value)).toEqual([job])
  })

  it('gives the service settings that it takes, and time to end', () => {
    const [container] = pods[1].containers
    const env = Object.fromEntries(container.env!.map(({ name, value }) => [name, value]))
    const config = loadConfig(env)
    for (const name of Object.keys(env)) expect(config).toHaveProperty(name)
    expect(1000 * pods[1].terminationGracePeriodSeconds!).toBeGreaterThan(config.DRAIN_DELAY_MS + config.DRAIN_MS)
    expect(container.ports).toEqual([{ name: 'http', containerPort: config.PORT }])
    const { startupProbe, livenessProbe, readinessProbe } = container
    const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe!.httpGet!.path)
    expect(paths).toEqual(['/livez', '/livez', '/readyz'])
    const memory = (1024 + 2 * 256 + 120) * 2 ** 20
    expect(memory).toBeLessThan(2 * 2 ** 30)
    expect([config.SCENE_MEMORY_MB, config.WORKERS, config.WORKER_MEMORY_MB]).toEqual([1024, 2, 256])
  })

  it('reads addresses from secrets, which it does not have', () => {
    for (const pod of pods) {
      const [container] = pod.containers
      const url = container.env!.find(({ name }) => name === 'DATABASE_URL_FILE')!.value!
      const [mount] = container.volumeMounts!
      expect(url).toBe(`${mount.mountPath}/url`)
      const { secret } = pod.volumes!.find(({ name }) => name === mount.name)!
      expect(text).toMatch(new RegExp(`create secret generic ${secret!.secretName} --from-file=url=`))
      // the group of the process may read it
      expect([secret!.defaultMode, pod.securityContext!.fsGroup]).toEqual([0o440, pod.securityContext!.runAsGroup])
    }
    expect(pods.map(({ volumes }) => volumes![0].secret!.secretName)).toEqual(['tangent-migration', 'tangent-database'])
    expect(text).not.toMatch(/postgres(ql)?:\/\/|kind: Secret/)
  })

  it('lets processes do no more than they need', () => {
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false)
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(pod.securityContext!.runAsUser).toBeGreaterThan(0)
      for (const { securityContext, resources } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(Object.keys(resources!.requests!)).toEqual(['cpu', 'memory'])
        expect(resources!.limits).toHaveProperty('memory')
      }
    }
  })
})
