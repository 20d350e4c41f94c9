CREATE TABLE gpu_health(              -- lasting defects and links of one GPU (nvidia-smi -q and -q -x, DCGM)
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  owner         TEXT,                 -- task or host the source is named after; NULL = no hint
  gpu_index     INTEGER,              -- NULL = not said
  uuid          TEXT,                 -- NULL = not said
  pci_bus       TEXT,                 -- lower case, e.g. '00000000:3b:00.0'
  time_raw_us   INTEGER,              -- host's clock; NULL = no stamp
  ecc_uncorrected_total INTEGER,      -- over the GPU's life (aggregate)
  ecc_corrected_total INTEGER,        -- over the GPU's life (aggregate)
  remapped_correctable INTEGER,       -- rows remapped for corrected errors
  remapped_uncorrectable INTEGER,     -- rows remapped for uncorrected errors
  remap_pending INTEGER,              -- 1 = a remap waits for a reset
  remap_failed  INTEGER,              -- 1 = no spare row was left: replace the GPU
  retired_pages INTEGER,              -- pages retired for double-bit errors (before Ampere)
  retired_pending INTEGER,            -- 1 = a retirement waits for a reset
  pcie_gen      INTEGER,              -- at this instant; an idle GPU lowers it
  pcie_gen_max  INTEGER,              -- what GPU and slot can do
  pcie_width    INTEGER,              -- lanes
  pcie_width_max INTEGER,             -- lanes that GPU and slot can do
  pcie_replays  INTEGER,              -- since reset
  recovery_action TEXT,               -- what the driver asks for, e.g. 'Reset', 'Reboot'; NULL = nothing or not said
  fabric_state  TEXT,                 -- NVLink fabric, e.g. 'Completed', 'In Progress'; NULL = no fabric or not said
  fabric_status TEXT,                 -- e.g. 'Success'
  last_xid      INTEGER               -- last Xid the driver remembers (DCGM); it stays after recovery; NULL = none or not said
) STRICT;

CREATE TABLE gpu_link(                -- one NVLink of one GPU (nvidia-smi nvlink)
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  owner         TEXT,                 -- task or host the source is named after
  gpu_index     INTEGER NOT NULL,     -- as printed, from 0
  uuid          TEXT,                 -- NULL = not said
  link          INTEGER NOT NULL,     -- number of the link on that GPU, from 0
  active        INTEGER,              -- 1 = up, 0 = inactive; NULL = only counters were printed
  gb_per_s      REAL,                 -- NULL = inactive or not said
  counter       TEXT,                 -- e.g. 'Replay Errors'; NULL = a status line
  value         INTEGER               -- of the counter
) STRICT;

CREATE TABLE gpu_topology(            -- how two devices of a host reach each other (nvidia-smi topo -m)
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  owner         TEXT,                 -- task or host the source is named after
  device        TEXT NOT NULL,        -- 'GPU0', 'NIC1'
  peer          TEXT NOT NULL,        -- the other end: 'GPU1', 'NIC0'
  path          TEXT NOT NULL         -- 'NV12', 'SYS', 'NODE', 'PHB', 'PXB', 'PIX'
) STRICT;

CREATE TABLE gpu_check(               -- verdicts of DCGM (dcgmi diag, dcgmi health)
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  owner         TEXT,                 -- task or host the source is named after
  gpu_index     INTEGER,              -- NULL = the host, or not said
  test          TEXT NOT NULL,        -- e.g. 'Memory', 'Overall Health'
  result        TEXT NOT NULL,        -- 'Pass', 'Fail', 'Warn', 'Skip', 'Healthy', 'Warning', 'Failure'
  detail        TEXT                  -- NULL = none printed
) STRICT;

CREATE TABLE fabric_event(            -- warnings, errors and state of NVIDIA's fabric manager (NVSwitch)
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  owner         TEXT,                 -- task or host the source is named after
  severity      TEXT NOT NULL,        -- as logged: 'ERROR', 'WARNING', 'CRITICAL', 'INFO'
  kind          TEXT NOT NULL,        -- 'fatal', 'non-fatal', 'link-training', 'not-ready', 'ready', 'stopped', 'other'
  time_raw_us   INTEGER,              -- host's clock
  text          TEXT NOT NULL         -- cut at 2000 bytes
) STRICT;

CREATE TABLE exposition_sample(       -- Prometheus text exposition: one metric of one dump
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  owner         TEXT,                 -- task or host the source is named after
  metric        TEXT NOT NULL,        -- name, e.g. 'DCGM_FI_DEV_GPU_TEMP'
  labels        TEXT NOT NULL,        -- as written, without the braces; '' = none
  value         REAL,                 -- NULL = not finite: see text
  text          TEXT,                 -- 'NaN', '+Inf', '-Inf'; NULL = finite
  time_raw_us   INTEGER               -- NULL = the dump gives no stamp
) STRICT;

CREATE VIEW xid_catalogue AS          -- Xid codes: who is at fault ('A' application, 'D' driver, 'H' hardware, 'L' link, 'I' information) and what to do
  SELECT column1 AS xid, column2 AS name, column3 AS meaning, column4 AS who, column5 AS action FROM (VALUES
    (8, 'FIFO_ERROR_IDLE_TIMEOUT', 'the GPU stopped processing', 'A/H', 'restart the program'),
    (13, 'GR_EXCEPTION', 'exception of the compute engine: an illegal instruction or address', 'A', 'debug the program; run diagnostics if it follows one GPU'),
    (31, 'FIFO_ERROR_MMU_ERR_FLT', 'page fault of the GPU', 'A', 'debug the kernel that ran'),
    (32, 'PBDMA_ERROR', 'invalid or corrupt push buffer', 'D/H', 'restart the program; suspect PCIe if it repeats'),
    (38, 'FECS_ERR_WATCHDOG_TIMEOUT', 'firmware error of the driver', 'D', 'note it for support'),
    (43, 'RESETCHANNEL_VERIF_ERROR', 'the program hit a fault of software and was stopped', 'A', 'debug the program'),
    (44, 'GR_FAULT_DURING_CTXSW', 'engine fault during a context switch', 'H/D', 'note it for support'),
    (45, 'PREEMPTIVE_REMOVAL', 'channels cleaned up after an earlier error or after the process was killed', 'I', 'look for the Xid before it'),
    (46, 'GPU_TIMEOUT_ERROR', 'the GPU stopped processing', 'H', 'reset the GPU'),
    (48, 'GPU_ECC_DBE', 'uncorrectable ECC error', 'H', 'drain the node and reset the GPU'),
    (61, 'PMU_BREAKPOINT', 'breakpoint of an internal micro-controller', 'H/D', 'reset; support if it repeats'),
    (62, 'PMU_HALT_ERROR', 'an internal micro-controller halted', 'H/D', 'reset the GPU'),
    (63, 'INFOROM_PAGE_RETIREMENT_EVENT', 'a page retirement or row remap was recorded', 'H', 'reset the GPU at the next chance'),
    (64, 'INFOROM_PAGE_RETIREMENT_FAILURE', 'a page retirement or row remap failed', 'H', 'reset; replace the GPU if it persists'),
    (66, 'FECS_ERR_REG_ACCESS', 'illegal access by the driver', 'D', 'note it'),
    (69, 'GR_CLASS_ERROR', 'engine class error', 'A/D', 'restart the program'),
    (74, 'NVLINK_ERROR', 'NVLink error', 'L', 'reset the GPUs, check link and bridge'),
    (79, 'GPU_HAS_FALLEN_OFF_THE_BUS', 'the GPU cannot be reached on PCIe', 'H', 'check power, temperature and riser; reboot, replace if it repeats'),
    (80, 'PBDMA_PUSHBUFFER_CRC_MISMATCH', 'corrupted data sent to the GPU', 'H', 'restart the program; suspect PCIe'),
    (92, 'EXCESSIVE_SBE_INTERRUPTS', 'high rate of corrected ECC errors', 'H', 'monitor'),
    (94, 'CONTAINED_ERROR', 'uncorrectable memory error, contained to one program', 'H', 'restart the program, reset the GPU when idle'),
    (95, 'UNCONTAINED_ERROR', 'uncorrectable memory error, not contained', 'H', 'reset the GPU'),
    (109, 'CTXSW_TIMEOUT_ERROR', 'time-out of a context switch', 'H/A', 'reset the GPU'),
    (110, 'SEC_FAULT_ERROR', 'security fault', 'H', 'reset or power cycle'),
    (119, 'GSP_RPC_TIMEOUT', 'the GPU''s firmware does not answer', 'D/H', 'reset the GPU or reboot, update the driver'),
    (120, 'GSP_ERROR', 'error of the GPU''s firmware', 'D/H', 'reset the GPU or reboot, update the driver'),
    (121, 'C2C_ERROR', 'corrected error of the chip-to-chip link', 'L', 'note it'),
    (136, 'ALI_TRAINING_FAIL', 'training of a link failed', 'L', 'reset the GPU'),
    (137, 'NVLINK_PRIV_ERR', 'NVLink access fault', 'A/L', 'look at the peer GPU'),
    (140, 'UNRECOVERABLE_ECC_ERROR_ESCAPE', 'unrecovered ECC error', 'H', 'reset the GPU'),
    (143, 'GPU_INIT_ERROR', 'initialisation of the GPU failed', 'H/D', 'reset the GPU'),
    (144, 'NVLINK_SAW_ERROR', 'NVLink error', 'L', 'fatal ones: reset the GPUs'),
    (145, 'NVLINK_RLW_ERROR', 'NVLink error', 'L', 'fatal ones: reset the GPUs'),
    (146, 'NVLINK_TLW_ERROR', 'NVLink error', 'L', 'fatal ones: reset the GPUs'),
    (147, 'NVLINK_TREX_ERROR', 'NVLink error', 'L', 'fatal ones: reset the GPUs'),
    (148, 'NVLINK_NVLPW_CTRL_ERROR', 'NVLink error', 'L', 'fatal ones: reset the GPUs'),
    (149, 'NVLINK_NETIR_ERROR', 'NVLink error', 'L', 'fatal ones: reset the GPUs'),
    (150, 'NVLINK_MSE_ERROR', 'NVLink error', 'L', 'fatal ones: reset the GPUs'),
    (154, 'GPU_RECOVERY_ACTION_CHANGED', 'the driver says what recovery the GPU needs', 'I', 'do what the text says'),
    (155, 'NVLINK_SW_DEFINED_ERROR', 'NVLink error', 'L', 'reset the GPU'),
    (156, 'RESOURCE_RETIREMENT_EVENT', 'a defective part was retired', 'H', 'reset the GPU'),
    (157, 'RESOURCE_RETIREMENT_FAILURE', 'a defective part could not be retired', 'H', 'replace the GPU if it persists'),
    (158, 'GPU_FATAL_TIMEOUT', 'fatal time-out of the GPU', 'H', 'reset the GPU'),
    (167, 'PCIE_FATAL_TIMEOUT', 'fatal time-out on PCIe', 'H', 'reset or reboot'),
    (171, 'UNCORRECTABLE_DRAM_ERROR', 'uncorrectable error in memory: detail of Xid 48', 'H', 'see Xid 48'),
    (172, 'UNCORRECTABLE_SRAM_ERROR', 'uncorrectable error in a cache: detail of Xid 48', 'H', 'see Xid 48'));
