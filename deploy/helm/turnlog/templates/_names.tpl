{{- define "turnlog.labels" -}}
app.kubernetes.io/name: turnlog
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "turnlog.selector" -}}
app.kubernetes.io/name: turnlog
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: node
{{- end }}

{{- define "turnlog.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "turnlog.migration" -}}
image: {{ include "turnlog.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
resources:
  requests: {cpu: 100m, memory: 128Mi}
  limits: {memory: 512Mi}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: secrets, mountPath: /secrets, readOnly: true}
  - {name: tmp, mountPath: /tmp}
{{- end }}
